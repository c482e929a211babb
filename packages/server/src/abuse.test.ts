import { describe, expect, test } from 'vitest'
import type { OperationName } from './dispatch.js'
import { AUDITED } from './testing/access-matrix.js'
import { BINDINGS, type Fields, type TestBinding } from './testing/bindings.js'
import { auditOf } from './testing/database.js'
import { PUSH_KEYS } from './testing/push.js'
import { testCard } from './testing/test-agent.js'
import { caller, forTestCallers, testAuthenticator } from './testing/test-callers.js'
import { startTestServer, type TestServer, type TestServerOptions } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

const card = forTestCallers(testCard({ capabilities: { streaming: true, pushNotifications: true } }))
const url = 'https://example.com/hook'
const as = (subject: string, participant?: string, tenant?: string) => ({
  headers: { ...caller(subject, tenant), ...(participant !== undefined && { 'X-Participant-Id': participant }) },
})
const start = (options: TestServerOptions = {}) =>
  startTestServer({ card, pushKeys: PUSH_KEYS, authenticate: [testAuthenticator], ...options })
const sending = (fields: Fields = {}, request: Fields = {}) => ({
  message: hello(fields),
  configuration: { returnImmediately: true },
  ...request,
})

async function send(binding: TestBinding, server: TestServer, fields: Fields, init: RequestInit): Promise<string> {
  const sent = await binding.result(await binding.call(server, 'sendMessage', sending(fields), init))
  return (sent as { task: { id: string } }).task.id
}

async function list(binding: TestBinding, server: TestServer, request: Fields, init: RequestInit) {
  return (await binding.result(await binding.call(server, 'listTasks', request, init))) as {
    tasks: { id: string }[]
    totalSize: number
    nextPageToken: string
  }
}

async function violated(binding: TestBinding, response: Response): Promise<readonly string[]> {
  const { details } = await binding.error(response)
  return details.flatMap((detail) => (detail['fieldViolations'] as { field: string }[] | undefined) ?? []).map(({ field }) => field)
}

const REQUESTS: readonly (readonly [OperationName, (taskId: string) => Fields])[] = [
  ['sendMessage', (taskId) => sending({ taskId })],
  ['sendStreamingMessage', (taskId) => sending({ taskId })],
  ['getTask', (id) => ({ id })],
  ['listTasks', () => ({})],
  ['cancelTask', (id) => ({ id })],
  ['subscribeToTask', (id) => ({ id })],
  ['createTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'c', url })],
  ['getTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'c' })],
  ['listTaskPushNotificationConfigs', (taskId) => ({ taskId })],
  ['deleteTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'c' })],
  ['getExtendedAgentCard', () => ({})],
]

describe.each(BINDINGS)('over $name', (binding) => {
  const denied = binding.name === 'JSON-RPC' ? { httpStatus: 403, code: -32600 } : { httpStatus: 403, code: 403 }
  const internal = binding.name === 'JSON-RPC' ? { httpStatus: 500, code: -32603 } : { httpStatus: 500, code: 500 }

  test.each(REQUESTS)('%s under the name of another is refused, whether or not that one has the task', async (operation, requestOf) => {
    const server = await start()
    const taskId = await send(binding, server, {}, as('bob'))
    for (const id of [taskId, 'unknown']) {
      const lines = await auditOf(server, async () => {
        const response = await binding.call(server, operation, requestOf(id), as('ann', 'bob'))
        expect(await binding.error(response)).toMatchObject({ ...denied, details: [] })
      })
      const line = {
        subject: 'ann',
        participant: 'bob',
        task_id: id,
        operation: AUDITED[operation],
        outcome: 'refused',
        reason: 'may-not-act-for',
      }
      expect(lines).toMatchObject(AUDITED[operation] === undefined ? [] : [line])
    }
  })

  test.each([
    ['the message', sending({ metadata: { participantId: 'bob' } })],
    ['the request', sending({}, { metadata: { participantId: 'bob' } })],
  ])('the metadata of %s makes nobody somebody else', async (_, request) => {
    const server = await start()
    const lines = await auditOf(server, async () => {
      expect(await binding.error(await binding.call(server, 'sendMessage', request, as('ann')))).toMatchObject(denied)
    })
    expect(lines).toMatchObject([{ subject: 'ann', participant: 'bob', operation: 'message', reason: 'may-not-act-for', task_id: null }])
  })

  test('one may act for whom mayActFor allows, and for nobody else', async () => {
    const server = await start({ mayActFor: ({ subject }, participant) => subject === 'ann' && participant === 'bob' })
    const id = await send(binding, server, {}, as('bob'))
    expect(await binding.result(await binding.call(server, 'getTask', { id }, as('ann', 'bob')))).toMatchObject({ id })
    expect(await binding.error(await binding.call(server, 'getTask', { id }, as('ann', 'carol')))).toMatchObject(denied)
    expect(await binding.error(await binding.call(server, 'getTask', { id }, as('carol', 'bob')))).toMatchObject(denied)
    expect(await violated(binding, await binding.call(server, 'getTask', { id }, as('ann', 'tester')))).toEqual(['X-Participant-Id'])
  })

  test.each<[string, () => unknown]>([
    ['throws', () => Promise.reject(new Error('secret'))],
    ['says something else than true', () => 'yes'],
  ])('a mayActFor that %s allows nothing', async (what, answer) => {
    const server = await start({ mayActFor: answer as () => boolean })
    const id = await send(binding, server, {}, as('bob'))
    const throws = what === 'throws'
    const lines = await auditOf(server, async () => {
      const told = await binding.error(await binding.call(server, 'cancelTask', { id }, as('ann', 'bob')))
      expect(told).toMatchObject(throws ? internal : denied)
      expect(JSON.stringify(told)).not.toContain('secret')
    })
    expect(lines).toHaveLength(throws ? 0 : 1)
    expect(server.logged).toHaveLength(throws ? 1 : 0)
  })

  test.each<[string, () => unknown]>([
    ['throws', () => Promise.reject(new Error('secret'))],
    ['says what is no name', () => ''],
    ['says a name that is too long', () => 'a'.repeat(257)],
    ['says a name with a control character', () => 'a\u0000b'],
    ['says null', () => null],
  ])('a resolver that %s fails its request and no other', async (_, answer) => {
    const server = await start({ resolveParticipant: ({ subject }) => (subject === 'ann' ? (answer() as string) : subject) })
    const lines = await auditOf(server, async () => {
      const told = await binding.error(await binding.call(server, 'sendMessage', sending(), as('ann')))
      expect(told).toMatchObject({ ...internal, message: 'Internal error' })
    })
    expect([lines, server.logged.length]).toEqual([[], 1])
    expect(await send(binding, server, {}, as('bob'))).toMatch(/./)
  })

  test('a resolver alone decides: what the request says of its participant is not even looked at', async () => {
    const server = await start({ resolveParticipant: ({ subject }) => subject, mayActFor: () => true })
    const id = await send(binding, server, { metadata: { participantId: 'bob' } }, as('ann', 'carol'))
    expect((await server.store.record(id))?.participants).toContainEqual({ participant: 'ann', role: 'reporter' })
    for (const [who, found] of [
      ['bob', 0],
      ['carol', 0],
      ['ann', 1],
    ] as const)
      expect((await list(binding, server, {}, as(who))).totalSize).toBe(found)
  })

  test('a caller whose subject is the id of the agent is no participant', async () => {
    const server = await start()
    const id = await send(binding, server, {}, as('ann'))
    const lines = await auditOf(server, async () => {
      expect(await binding.error(await binding.call(server, 'sendMessage', sending({ taskId: id }), as('tester')))).toMatchObject(denied)
      expect((await list(binding, server, {}, as('tester'))).totalSize).toBe(0)
    })
    expect(lines).toMatchObject([{ subject: 'tester', participant: '', task_id: id, reason: 'no-participant' }])
  })

  test.each([
    ['another participant', as('bob')],
    ['a namesake in another tenant', as('ann', undefined, 'acme')],
  ])('the context of a task is another one for %s', async (_, stranger) => {
    const server = await start()
    const first = await send(binding, server, { contextId: 'session' }, as('ann'))
    const second = await send(binding, server, { contextId: 'session' }, stranger)
    expect(second).not.toBe(first)
    for (const [init, id] of [
      [as('ann'), first],
      [stranger, second],
    ] as const) {
      expect(await list(binding, server, { contextId: 'session' }, init)).toMatchObject({ tasks: [{ id }], totalSize: 1 })
    }
    const refused = await binding.call(server, 'sendMessage', sending({ messageId: 'm-2', referenceTaskIds: [first] }), stranger)
    expect(await violated(binding, refused)).toEqual(['message.referenceTaskIds[0]'])
  })

  test('the tenant of the caller is the only one that it may name', async () => {
    const tenants = card.supportedInterfaces.map((entry) => ({ ...entry, tenant: 'acme' }))
    const server = await start({ card: { ...card, supportedInterfaces: [...card.supportedInterfaces, ...tenants] } })
    const lines = await auditOf(server, async () => {
      for (const [request, path] of [
        [{ tenant: 'acme' }, ''],
        [{ tenant: 'acme' }, '?tenant=elsewhere'],
        [{}, '?tenant=acme'],
      ] as const) {
        const reached = { ...server, fetch: (target: string, init?: RequestInit) => server.fetch(`${target}${path}`, init) }
        const response = await binding.call(reached, 'sendMessage', sending({}, request), as('ann', undefined, 'elsewhere'))
        expect(await violated(binding, response)).toEqual(['tenant'])
      }
      const body = JSON.stringify(sending({}, { tenant: 'elsewhere' }))
      const headers = { ...caller('ann'), 'Content-Type': 'application/json', 'A2A-Version': '1.0' }
      expect((await server.fetch('/a2a/acme/message:send', { method: 'POST', body, headers })).status).toBe(400)
    })
    expect(lines).toEqual([])
  })

  test("a page token is its caller's own, of tasks and of push configs", async () => {
    const server = await start({ mayActFor: () => true })
    const taskId = await send(binding, server, {}, as('ann'))
    await send(binding, server, { messageId: 'm-2' }, as('ann'))
    for (const id of ['one', 'two'])
      await binding.result(await binding.call(server, 'createTaskPushNotificationConfig', { taskId, id, url }, as('ann')))
    const { nextPageToken } = await list(binding, server, { pageSize: 1 }, as('ann'))
    const configs = await binding.result(await binding.call(server, 'listTaskPushNotificationConfigs', { taskId, pageSize: 1 }, as('ann')))
    const pages = [
      ['listTasks', { pageToken: nextPageToken }],
      ['listTaskPushNotificationConfigs', { taskId, pageToken: configs['nextPageToken'] }],
    ] as const
    for (const [operation, request] of pages) {
      await binding.result(await binding.call(server, operation, request, as('ann')))
      // Whoever acts for her is another caller too.
      for (const other of [as('bob'), as('bob', 'ann'), as('ann', 'bob'), as('ann', undefined, 'acme')]) {
        expect(await violated(binding, await binding.call(server, operation, request, other))).toEqual(['pageToken'])
      }
    }
  })
})
