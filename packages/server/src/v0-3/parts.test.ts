import type { TurnWrite } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { playTurn } from '../testing/play.js'
import type { TestServer } from '../testing/test-server.js'
import { newTask } from '../testing/test-tasks.js'
import { http, json, rpc, startBoth } from './testing/v0-3-server.js'

/** One part in 1.0, in the JSON of 0.3 and in its ProtoJSON. */
interface Part {
  readonly what: string
  readonly v10: object
  readonly rpc: object
  readonly http: object
}

const PARTS: readonly Part[] = [
  { what: 'a text', v10: { text: 'hi' }, rpc: { kind: 'text', text: 'hi' }, http: { text: 'hi' } },
  { what: 'an empty text', v10: { text: '' }, rpc: { kind: 'text', text: '' }, http: { text: '' } },
  {
    what: 'bytes',
    v10: { raw: 'AAE=', mediaType: 'application/octet-stream', filename: 'a.bin' },
    rpc: { kind: 'file', file: { bytes: 'AAE=', mimeType: 'application/octet-stream', name: 'a.bin' } },
    http: { file: { fileWithBytes: 'AAE=', mimeType: 'application/octet-stream' } },
  },
  {
    what: 'a file elsewhere',
    v10: { url: 'https://x.test/a.png', mediaType: 'image/png' },
    rpc: { kind: 'file', file: { uri: 'https://x.test/a.png', mimeType: 'image/png' } },
    http: { file: { fileWithUri: 'https://x.test/a.png', mimeType: 'image/png' } },
  },
  {
    what: 'an object',
    v10: { data: { a: [1, null], __proto: { b: 'c' } } },
    rpc: { kind: 'data', data: { a: [1, null], __proto: { b: 'c' } } },
    http: { data: { data: { a: [1, null], __proto: { b: 'c' } } } },
  },
  ...[null, false, 0, '', 'text', [1, [2]]].map((data) => ({
    what: `the data ${JSON.stringify(data)}`,
    v10: { data },
    rpc: { kind: 'data', data: { value: data }, metadata: { data_part_compat: true } },
    http: { data: { data: { value: data } } },
  })),
]

const FIELDS = {
  messageId: 'm-1',
  metadata: { why: { deep: [true] } },
  extensions: ['urn:example:a'],
}

/** The task of a message, as each version and binding tells it. */
async function tell(server: TestServer, taskId: string) {
  const v10 = await json(await server.fetch(`/a2a/tasks/${taskId}`, { headers: { 'A2A-Version': '1.0' } }))
  const overRpc = (await json(await rpc(server, 'tasks/get', { id: taskId })))['result']
  return { v10, rpc: overRpc, http: await json(await http(server, 'GET', `tasks/${taskId}`)) }
}

const SENDERS = {
  '1.0': (server: TestServer, part: Part, referenceTaskIds: readonly string[]) => {
    const message = { ...FIELDS, role: 'ROLE_USER', parts: [part.v10], referenceTaskIds }
    const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ message, configuration: { returnImmediately: true } })
    return server.fetch('/a2a/message:send', { method: 'POST', body, headers })
  },
  'JSON-RPC of 0.3': (server: TestServer, part: Part, referenceTaskIds: readonly string[]) => {
    const message = { kind: 'message', ...FIELDS, role: 'user', parts: [part.rpc], referenceTaskIds }
    return rpc(server, 'message/send', { message, configuration: { blocking: false } })
  },
  'HTTP+JSON of 0.3': (server: TestServer, { http: part, rpc: { metadata } }: Part & { readonly rpc: { metadata?: object } }) => {
    const message = { ...FIELDS, role: 'ROLE_USER', content: [{ ...part, ...(metadata && { metadata }) }] }
    return http(server, 'POST', 'message:send', { message, configuration: {} })
  },
} as const

describe.each(Object.entries(SENDERS))('what is sent over %s', (name, send) => {
  test.each(PARTS)('is told alike everywhere: $what', async (part) => {
    const server = await startBoth()
    const earlier = await newTask(server)
    const response = await send(server, part, [earlier])
    expect(response.status).toBe(200)
    const { taskId } = await server.woken(2)
    const { mediaType, raw, url, data, text } = part.v10 as Record<string, unknown>
    const artifact = { kind: 'artifact', artifactId: 'a', name: 'A', parts: [part.v10] } as TurnWrite
    await playTurn(server.store, taskId, { kind: 'complete' }, artifact)
    const told = await tell(server, taskId)

    // HTTP+JSON of 0.3 has no room for a file's name and for references to tasks.
    const overProto = name === 'HTTP+JSON of 0.3'
    const v10Part = overProto ? JSON.parse(JSON.stringify({ text, raw, url, mediaType, ...('data' in part.v10 && { data }) })) : part.v10
    const references = overProto ? {} : { referenceTaskIds: [earlier] }
    const told10 = { role: 'ROLE_USER', taskId, contextId: told.v10['contextId'] }
    expect(told.v10['history']).toEqual([{ ...FIELDS, ...told10, parts: [v10Part], ...references }])
    expect(told.v10['artifacts']).toEqual([{ artifactId: 'a', name: 'A', parts: [part.v10] }])
    expect(told.rpc).toMatchObject({
      kind: 'task',
      history: [{ kind: 'message', ...FIELDS, role: 'user', ...references }],
      artifacts: [{ artifactId: 'a', name: 'A', parts: [part.rpc] }],
    })
    expect(told.http).toMatchObject({
      history: [{ ...FIELDS, role: 'ROLE_USER', content: [part.http] }],
      artifacts: [{ artifactId: 'a', name: 'A', parts: [part.http] }],
    })
  })
})
