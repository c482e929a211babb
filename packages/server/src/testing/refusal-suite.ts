import { ERROR_TABLE, type ErrorName } from '@moorage/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import type { OperationName } from '../dispatch.js'
import { BINDINGS, type Fields, type TestBinding } from './bindings.js'
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.js'

/** A request that is refused, with the error and the fields that its answer names. */
export interface RefusalCase {
  readonly what: string
  readonly operation: OperationName
  readonly request: Fields | ((server: TestServer) => Promise<Fields>)
  readonly error: ErrorName
  readonly fields?: readonly string[]
  readonly server?: TestServerOptions
  readonly headers?: Readonly<Record<string, string>>
}

const shared = new Map<TestServerOptions | undefined, Promise<TestServer>>()
const takeDowns: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const takeDown of takeDowns) await takeDown()
})

/** One server for all requests that leave nothing behind. */
function sharedServer(options: TestServerOptions | undefined): Promise<TestServer> {
  const server = shared.get(options) ?? startTestServer({ ...options, onFinished: (takeDown) => takeDowns.push(takeDown) })
  shared.set(options, server)
  return server
}

async function refused(binding: TestBinding, { operation, request, server: options, headers = {} }: RefusalCase) {
  const server = typeof request === 'function' ? await startTestServer(options) : await sharedServer(options)
  const fields = typeof request === 'function' ? await request(server) : request
  const logged = server.logged.length
  const response = await binding.call(server, operation, fields, { headers })
  return { response, error: await binding.error(response), logged: server.logged.length - logged }
}

/** Sends each request over both bindings to a server over a real store, and expects its error in the binding's form. */
export function describeRefusals(cases: readonly RefusalCase[]): void {
  describe.each(BINDINGS)('$name', (binding) => {
    test.each(cases)('refuses $operation: $what', async (refusal) => {
      const row = ERROR_TABLE[refusal.error]
      const { error, response, logged } = await refused(binding, refusal)
      expect(error).toMatchObject(binding.expected(row))
      expect(error.contentType).toMatch(/^application\/(a2a\+)?json$/)
      const reason = 'reason' in row ? row.reason : undefined
      const info = error.details.find((detail) => detail['@type'] === 'type.googleapis.com/google.rpc.ErrorInfo')
      expect(info).toEqual(reason && expect.objectContaining({ reason, domain: 'a2a-protocol.org' }))
      const bad = error.details.find((detail) => detail['@type'] === 'type.googleapis.com/google.rpc.BadRequest')
      const named = (bad?.['fieldViolations'] as { field: string }[] | undefined)?.map(({ field }) => field)
      expect(named).toEqual(refusal.fields)
      expect(response.headers.has('Retry-After')).toBe(row.httpStatus === 503 || row.httpStatus === 429)
      expect(JSON.stringify(error)).not.toContain('secret')
      expect(logged).toBe(row.httpStatus >= 500 ? 1 : 0)
    })
  })
}
