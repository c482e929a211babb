import { ERROR_TABLE, type ErrorName } from '@moorage/protocol'
import { StoreUnavailableError } from '@moorage/store'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { OperationName } from './dispatch.js'
import { BINDINGS, type Fields, type TestBinding } from './testing/bindings.js'
import { playTurn } from './testing/play.js'
import { testAgent, testCard } from './testing/test-agent.js'
import { overrideStore, startTestServer, type TestServer, type TestServerOptions } from './testing/test-server.js'

const hello = (fields: Fields = {}): Fields => ({ messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }], ...fields })
const without = (fields: Fields, name: string): Fields => Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name))

/** A request that is refused, with the error and the fields that its answer names. */
interface Case {
  readonly what: string
  readonly operation: OperationName
  readonly request: Fields | ((server: TestServer) => Promise<Fields>)
  readonly error: ErrorName
  readonly fields?: readonly string[]
  readonly server?: TestServerOptions
  readonly headers?: Readonly<Record<string, string>>
}

async function newTask({ store, fetch, woken }: TestServer): Promise<string> {
  const body = JSON.stringify({ message: hello(), configuration: { returnImmediately: true } })
  const headers = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' }
  await fetch('/a2a/message:send', { method: 'POST', body, headers })
  const { taskId } = await woken(1)
  await store.transact([taskId], (tx) => tx.postponeWake(taskId))
  return taskId
}

async function endedTask(server: TestServer, kind: 'complete' | 'fail' | 'reject'): Promise<string> {
  const taskId = await newTask(server)
  await playTurn(server.store, taskId, { kind })
  return taskId
}

const deep = (levels: number): unknown => (levels === 0 ? 'x' : [deep(levels - 1)])
const watched = { participant: 'anonymous', role: 'watcher' } as const

/** A task in which the caller only watches. */
async function watchedTask({ store }: TestServer): Promise<string> {
  const message = { messageId: 'other', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const
  const sender = { tenant: '', subject: 'other', participant: 'other', claims: {} }
  const task = { id: 'watched', agent: 'tester', tenant: '', contextId: 'c', participants: [watched] }
  await store.transact(['watched'], (tx) => tx.create(task, { key: 'k', digest: 'd', message, sender }))
  return 'watched'
}

const SENDS: readonly Case[] = (['sendMessage', 'sendStreamingMessage'] as const).flatMap((operation): Case[] => [
  { what: 'no message', operation, request: {}, error: 'RequestMalformedError', fields: ['message'] },
  ...['messageId', 'role', 'parts'].map(
    (field): Case => ({
      what: `no ${field}`,
      operation,
      request: { message: without(hello(), field) },
      error: 'RequestMalformedError',
      fields: [`message.${field}`],
    }),
  ),
  {
    what: 'no parts',
    operation,
    request: { message: hello({ parts: [] }) },
    error: 'RequestMalformedError',
    fields: ['message.parts'],
  },
  {
    what: 'a part of two kinds',
    operation,
    request: { message: hello({ parts: [{ text: 'a', url: 'b' }] }) },
    error: 'RequestMalformedError',
    fields: ['message.parts[0]'],
  },
  {
    what: 'the role of the agent',
    operation,
    request: { message: hello({ role: 'ROLE_AGENT' }) },
    error: 'RequestMalformedError',
    fields: ['message.role'],
  },
  {
    what: 'more than a hundred parts',
    operation,
    request: { message: hello({ parts: Array.from({ length: 101 }, () => ({ text: 'x' })) }) },
    error: 'RequestMalformedError',
    fields: ['message.parts'],
  },
  {
    what: 'JSON that is nested too deep',
    operation,
    request: { message: hello({ metadata: { deep: deep(64) } }) },
    error: 'RequestMalformedError',
    fields: ['message.metadata.deep'],
  },
  {
    what: 'a negative historyLength',
    operation,
    request: { message: hello(), configuration: { historyLength: -1 } },
    error: 'RequestMalformedError',
    fields: ['configuration.historyLength'],
  },
  {
    what: 'a media type that the card does not take',
    operation,
    request: { message: hello({ parts: [{ text: 'x' }, { text: 'x', mediaType: 'application/x-nope' }] }) },
    error: 'ContentTypeNotSupportedError',
  },
  {
    what: 'data for a card that takes text',
    operation,
    request: { message: hello({ parts: [{ data: {} }] }) },
    error: 'ContentTypeNotSupportedError',
  },
  {
    what: 'bytes for a card that takes text',
    operation,
    request: { message: hello({ parts: [{ raw: 'aGk=' }] }) },
    error: 'ContentTypeNotSupportedError',
  },
  {
    what: 'text for an agent with a schema',
    operation,
    request: { message: hello() },
    error: 'RequestMalformedError',
    fields: ['message.parts'],
    server: { agent: testAgent(z.object({ n: z.number() })) },
  },
  {
    what: "data that does not fit the agent's schema",
    operation,
    request: { message: hello({ parts: [{ data: { n: 'one' } }] }) },
    error: 'RequestMalformedError',
    fields: ['message.parts[0].data.n'],
    server: { agent: testAgent(z.object({ n: z.number() })), card: testCard({ defaultInputModes: ['application/json'] }) },
  },
  {
    what: 'a push config',
    operation,
    request: { message: hello(), configuration: { taskPushNotificationConfig: { url: 'https://example.com/' } } },
    error: 'PushNotificationNotSupportedError',
  },
  { what: 'an unknown task', operation, request: { message: hello({ taskId: 'nope' }) }, error: 'TaskNotFoundError' },
  {
    what: 'an undeclared tenant',
    operation,
    request: { message: hello(), tenant: 'acme' },
    error: 'RequestMalformedError',
    fields: ['tenant'],
  },
  {
    what: "another context than the task's",
    operation,
    request: async (server) => ({ message: hello({ messageId: 'm-2', taskId: await newTask(server), contextId: 'other' }) }),
    error: 'RequestMalformedError',
    fields: ['message.contextId'],
  },
  ...(['complete', 'fail', 'reject'] as const).map(
    (kind): Case => ({
      what: `a task that has ended by ${kind}`,
      operation,
      request: async (server) => ({ message: hello({ messageId: 'm-2', taskId: await endedTask(server, kind) }) }),
      error: 'UnsupportedOperationError',
    }),
  ),
  {
    what: 'a watcher',
    operation,
    request: async (server) => ({ message: hello({ taskId: await watchedTask(server) }) }),
    error: 'UnsupportedOperationError',
  },
  {
    what: 'too many messages that wait',
    operation,
    request: async (server) => ({ message: hello({ messageId: 'm-2', taskId: await newTask(server) }) }),
    error: 'TooFast',
    server: { maxWaiting: 1 },
  },
])

const STREAMS_OFF = { card: testCard({ capabilities: { streaming: false, pushNotifications: false } }) }
const EXTENSION = { uri: 'urn:example:needed', required: true }
const EXTENDED = { card: testCard({ capabilities: { streaming: true, pushNotifications: false, extensions: [EXTENSION] } }) }

const OTHERS: readonly Case[] = [
  { what: 'an unknown task', operation: 'getTask', request: { id: 'nope' }, error: 'TaskNotFoundError' },
  {
    what: 'a bad historyLength',
    operation: 'getTask',
    request: { id: 'nope', historyLength: '1.5' },
    error: 'RequestMalformedError',
    fields: ['historyLength'],
  },
  { what: 'an unknown task', operation: 'cancelTask', request: { id: 'nope' }, error: 'TaskNotFoundError' },
  ...(['complete', 'fail', 'reject'] as const).map(
    (kind): Case => ({
      what: `a task that has ended by ${kind}`,
      operation: 'cancelTask',
      request: async (server) => ({ id: await endedTask(server, kind) }),
      error: 'TaskNotCancelableError',
    }),
  ),
  {
    what: 'a watcher',
    operation: 'cancelTask',
    request: async (server) => ({ id: await watchedTask(server) }),
    error: 'UnsupportedOperationError',
  },
  { what: 'an unknown task', operation: 'subscribeToTask', request: { id: 'nope' }, error: 'TaskNotFoundError' },
  {
    what: 'no streaming',
    operation: 'subscribeToTask',
    request: { id: 'nope' },
    error: 'UnsupportedOperationError',
    server: STREAMS_OFF,
  },
  {
    what: 'no streaming',
    operation: 'sendStreamingMessage',
    request: { message: hello({ taskId: 'nope' }) },
    error: 'UnsupportedOperationError',
    server: STREAMS_OFF,
  },
  ...([0, -1, 101, 'abc'] as const).map(
    (pageSize): Case => ({
      what: `pageSize ${pageSize}`,
      operation: 'listTasks',
      request: { pageSize },
      error: 'RequestMalformedError',
      fields: ['pageSize'],
    }),
  ),
  { what: 'an unknown status', operation: 'listTasks', request: { status: 'DONE' }, error: 'RequestMalformedError', fields: ['status'] },
  {
    what: 'a forged page token',
    operation: 'listTasks',
    request: { pageToken: 'bm9wZQ.bm9wZQ' },
    error: 'RequestMalformedError',
    fields: ['pageToken'],
  },
  ...(['createTaskPushNotificationConfig', 'listTaskPushNotificationConfigs'] as const).map(
    (operation): Case => ({
      what: 'push notifications, before any task is looked up',
      operation,
      request: { taskId: 'nope', ...(operation === 'createTaskPushNotificationConfig' && { url: 'https://example.com/' }) },
      error: 'PushNotificationNotSupportedError',
    }),
  ),
  ...(['getTaskPushNotificationConfig', 'deleteTaskPushNotificationConfig'] as const).map(
    (operation): Case => ({
      what: 'push notifications, before any task is looked up',
      operation,
      request: { taskId: 'nope', id: 'c' },
      error: 'PushNotificationNotSupportedError',
    }),
  ),
  {
    what: 'a url that is none',
    operation: 'createTaskPushNotificationConfig',
    request: { taskId: 'nope', url: 'ftp://example.com' },
    error: 'RequestMalformedError',
    fields: ['url'],
  },
  { what: 'an undeclared extended card', operation: 'getExtendedAgentCard', request: {}, error: 'UnsupportedOperationError' },
  {
    what: 'an unknown extension',
    operation: 'sendMessage',
    request: { message: hello() },
    error: 'UnsupportedOperationError',
    headers: { 'A2A-Extensions': 'urn:example:unknown' },
  },
  {
    what: 'a required extension that is left out',
    operation: 'getTask',
    request: { id: 'nope' },
    error: 'ExtensionSupportRequiredError',
    server: EXTENDED,
  },
  ...['99.0', '0.3', '1', 'x', ''].map(
    (version): Case => ({
      what: `version "${version}"`,
      operation: 'getTask',
      request: { id: 'nope' },
      error: 'VersionNotSupportedError',
      headers: { 'A2A-Version': version },
    }),
  ),
  {
    what: 'a store that is away',
    operation: 'sendMessage',
    request: { message: hello() },
    error: 'Unavailable',
    server: { wrapStore: (store) => overrideStore(store, { transact: () => Promise.reject(new StoreUnavailableError('/data/secret')) }) },
  },
  {
    what: 'an error of the server',
    operation: 'getTask',
    request: { id: 'nope' },
    error: 'InternalError',
    server: { wrapStore: (store) => overrideStore(store, { get: () => Promise.reject(new Error('/data/secret')) }) },
  },
]

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

async function refused(binding: TestBinding, { operation, request, server: options, headers = {} }: Case) {
  const server = typeof request === 'function' ? await startTestServer(options) : await sharedServer(options)
  const fields = typeof request === 'function' ? await request(server) : request
  const logged = server.logged.length
  const response = await binding.call(server, operation, fields, { headers })
  return { response, error: await binding.error(response), logged: server.logged.length - logged }
}

describe.each(BINDINGS)('$name', (binding) => {
  test.each([...SENDS, ...OTHERS])('refuses $operation: $what', async (refusal) => {
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

  test('tells nobody whether a task of others exists', async () => {
    const server = await startTestServer()
    const taskId = await newTask(server)
    const other = { id: 'of-bob', agent: 'tester', tenant: '', contextId: 'c', participants: [{ participant: 'bob', role: 'admin' }] } as const
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const
    const sender = { tenant: '', subject: 'bob', participant: 'bob', claims: {} }
    await server.store.transact(['of-bob'], (tx) => tx.create(other, { key: 'k', digest: 'd', message, sender }))
    for (const operation of ['getTask', 'cancelTask', 'subscribeToTask'] as const) {
      const theirs = await (await binding.call(server, operation, { id: 'of-bob' })).text()
      const none = await (await binding.call(server, operation, { id: 'no-such' })).text()
      expect(theirs.replaceAll('of-bob', 'no-such')).toBe(none)
    }
    const { tasks, totalSize } = await binding.result(await binding.call(server, 'listTasks'))
    expect([tasks, totalSize]).toMatchObject([[{ id: taskId }], 1])
  })

  test('takes a command whatever the agent takes', async () => {
    const server = await startTestServer({
      agent: testAgent(z.object({ n: z.number() })),
      card: testCard({ defaultInputModes: ['application/json'] }),
    })
    const request = { message: hello({ parts: [{ text: '/status' }] }), configuration: { returnImmediately: true } }
    expect(await binding.result(await binding.call(server, 'sendMessage', request))).toHaveProperty('task.id')
  })

  test('answers a declared extension with its name, also in a stream and in an error', async () => {
    const server = await startTestServer(EXTENDED)
    const headers = { 'A2A-Extensions': ` ${EXTENSION.uri} , ${EXTENSION.uri}` }
    const responses = [
      await binding.call(server, 'listTasks', {}, { headers }),
      await binding.call(server, 'getTask', { id: 'nope' }, { headers }),
      await binding.call(server, 'sendStreamingMessage', { message: hello() }, { headers }),
    ]
    expect(responses.map((response) => response.headers.get('A2A-Extensions'))).toEqual([EXTENSION.uri, EXTENSION.uri, EXTENSION.uri])
    await responses[2]?.body?.cancel()
  })
})
