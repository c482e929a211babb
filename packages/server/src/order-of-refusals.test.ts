import { ERROR_TABLE, type ErrorName } from '@moorage/protocol'
import { describe, expect, test } from 'vitest'
import { BINDINGS, type Fields, type TestBinding } from './testing/bindings.js'
import { playTurn } from './testing/play.js'
import { testCard } from './testing/test-agent.js'
import { caller, forTestCallers, testAuthenticator } from './testing/test-callers.js'
import { startTestServer, type TestServer, type TestServerOptions } from './testing/test-server.js'
import { hello, newTask, watchedTask } from './testing/test-tasks.js'

/** A request of SendStreamingMessage, before it is put into a binding's form. */
interface Attempt {
  readonly server: TestServerOptions
  readonly verb: string
  readonly headers: Readonly<Record<string, string>>
  readonly request: Fields
  /** Changes the envelope, or the body as a whole. */
  readonly envelope: (body: object) => unknown
  readonly raw: (body: string) => string
}

/** One way to be wrong, and what is answered when nothing is wrong before it. */
interface Fault {
  readonly what: string
  readonly error: ErrorName
  readonly only?: TestBinding['name']
  readonly spoil: (attempt: Attempt, binding: TestBinding['name']) => Partial<Attempt>
}

/** In the order of the rules: the first that applies is told. */
const FAULTS: readonly Fault[] = [
  {
    what: 'limits',
    error: 'TooLarge',
    spoil: ({ server }) => ({ server: { ...server, limits: { ratePerMinute: 0, maxRequestBytes: 1 } } }),
  },
  { what: 'verb', error: 'MethodNotAllowed', spoil: () => ({ verb: 'PUT' }) },
  {
    what: 'content type',
    error: 'ContentTypeNotSupportedError',
    spoil: ({ headers }) => ({ headers: { ...headers, 'Content-Type': 'text/plain' } }),
  },
  {
    what: 'authentication',
    error: 'Unauthenticated',
    spoil: ({ headers: { Authorization: _, ...headers } }) => ({ headers }),
  },
  { what: 'JSON', error: 'ParseError', spoil: () => ({ raw: (body) => body.slice(0, -1) }) },
  {
    what: 'envelope',
    error: 'InvalidRequest',
    spoil: (_, binding) => ({ envelope: (body) => (binding === 'JSON-RPC' ? { ...body, jsonrpc: '1.0' } : [body]) }),
  },
  { what: 'version', error: 'VersionNotSupportedError', spoil: ({ headers }) => ({ headers: { ...headers, 'A2A-Version': '99.0' } }) },
  {
    what: 'method',
    error: 'MethodNotFound',
    only: 'JSON-RPC',
    spoil: ({ envelope }) => ({ envelope: (body) => ({ ...(envelope(body) as object), method: 'Nope' }) }),
  },
  {
    what: 'extensions',
    error: 'UnsupportedOperationError',
    spoil: ({ headers }) => ({ headers: { ...headers, 'A2A-Extensions': 'urn:example:unknown' } }),
  },
  {
    what: 'params',
    error: 'RequestMalformedError',
    spoil: ({ request }) => ({ request: { ...request, configuration: { historyLength: -1 } } }),
  },
  { what: 'tenant', error: 'RequestMalformedError', spoil: ({ request }) => ({ request: { ...request, tenant: 'acme' } }) },
  { what: 'participant', error: 'PermissionDenied', spoil: ({ headers }) => ({ headers: { ...headers, 'X-Participant-Id': 'bob' } }) },
  {
    what: 'capability',
    error: 'UnsupportedOperationError',
    spoil: ({ server }) => ({
      server: { ...server, card: forTestCallers(testCard({ capabilities: { streaming: false, pushNotifications: false } })) },
    }),
  },
  {
    what: 'access',
    error: 'TaskNotFoundError',
    spoil: ({ request }) => ({ request: { ...request, message: { ...(request['message'] as Fields), taskId: 'nope' } } }),
  },
]

const GOOD: Attempt = {
  server: { card: forTestCallers(testCard()), authenticate: [testAuthenticator] },
  verb: 'POST',
  headers: { ...caller('ann'), 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
  request: { message: hello() },
  envelope: (body) => body,
  raw: (body) => body,
}

function spoiled(faults: readonly Fault[], binding: TestBinding['name']): Attempt {
  let attempt = GOOD
  for (const { spoil } of faults) attempt = { ...attempt, ...spoil(attempt, binding) }
  return attempt
}

async function send({ server: options, verb, headers, request, envelope, raw }: Attempt, binding: TestBinding['name']) {
  const server = await startTestServer(options)
  const body = binding === 'JSON-RPC' ? { jsonrpc: '2.0', id: 7, method: 'SendStreamingMessage', params: request } : request
  const path = binding === 'JSON-RPC' ? '/a2a' : '/a2a/message:stream'
  const content = raw(JSON.stringify(envelope(body)))
  const init = { method: verb, body: content, headers: { ...headers, 'Content-Length': String(content.length) } }
  return { server, response: await server.fetch(path, init) }
}

/** A verb that JSON-RPC does not have is answered as HTTP would, and so is what is wrong with it. */
async function expectError(binding: TestBinding, response: Response, { error, what }: Fault, verb: string) {
  const row = ERROR_TABLE[error]
  if (verb !== 'POST') return expect(response.status).toBe(row.httpStatus)
  const told = await binding.error(response)
  expect(told).toMatchObject(binding.expected(row))
  const named = told.details
    .flatMap((detail) => (detail['fieldViolations'] as { field: string }[] | undefined) ?? [])
    .map(({ field }) => field)
  if (what === 'params') expect(named).toEqual(['configuration.historyLength'])
  if (what === 'tenant') expect(named).toEqual(['tenant'])
  if (what === 'extensions') expect(told.message).toContain('A2A-Extensions')
  if (what === 'capability') expect(told.message).toContain('streaming')
}

describe.each(BINDINGS)('over $name', (binding) => {
  const faults = FAULTS.filter(({ only = binding.name }) => only === binding.name)
  const pairs = faults.slice(1).map((second, index) => ({ first: faults[index] ?? second, second }))

  test.each(pairs)('$first.what is refused before $second.what', async ({ first, second }) => {
    for (const [told, ...given] of [[second, second] as const, [first, first, second] as const]) {
      const attempt = spoiled(given, binding.name)
      const { server, response } = await send(attempt, binding.name)
      await expectError(binding, response, told, attempt.verb)
      expect(server.wakes).toEqual([])
    }
  })

  test('what is wrong in every way is told of its limits alone', async () => {
    const { response } = await send(spoiled(faults, binding.name), binding.name)
    expect(response.status).toBe(413)
  })

  async function told(server: TestServer, fields: Fields) {
    return binding.error(await binding.call(server, 'sendMessage', { message: hello({ messageId: 'm-2', ...fields }) }))
  }

  test('a task of others is not found, whether or not it has ended', async () => {
    const server = await startTestServer()
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const
    const sender = { tenant: '', subject: 'bob', participant: 'bob', claims: {} }
    const participants = [{ participant: 'bob', role: 'admin' }] as const
    const task = { id: 'theirs', agent: 'tester', tenant: '', contextId: 'c', participants }
    await server.store.transact(['theirs'], (tx) => tx.create(task, { key: 'k', digest: 'd', message, sender }))
    await playTurn(server.store, 'theirs', { kind: 'complete' })
    expect(await told(server, { taskId: 'theirs', contextId: 'other' })).toMatchObject(binding.expected(ERROR_TABLE.TaskNotFoundError))
  })

  test('a message that is sent again has its receipt, though its task has ended', async () => {
    const server = await startTestServer()
    const taskId = await newTask(server)
    await playTurn(server.store, taskId, { kind: 'complete' })
    const again = await binding.result(await binding.call(server, 'sendMessage', { message: hello() }))
    expect(again).toMatchObject({ task: { id: taskId, status: { state: 'TASK_STATE_COMPLETED' } } })
    expect((await told(server, { taskId })).message).toContain('TASK_STATE_COMPLETED')
  })

  test('a watcher is told so before it is told that the task has ended', async () => {
    const server = await startTestServer()
    const taskId = await watchedTask(server)
    const before = await told(server, { taskId })
    await playTurn(server.store, taskId, { kind: 'complete' })
    expect(await told(server, { taskId })).toEqual(before)
  })
})
