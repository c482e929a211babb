import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Participation, TaskStore } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineAuthenticator } from './authentication/authenticator.js'
import { BINDINGS, type Fields, type TestBinding } from './testing/bindings.js'
import { playTurn, says } from './testing/play.js'
import { readSse } from './testing/read-sse.js'
import { testCard } from './testing/test-agent.js'
import { startTestServer, type TestServer } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

const [jsonRpc, http] = BINDINGS as [TestBinding, TestBinding]
const asks = { kind: 'require-auth', scheme: 'calendar', message: says('Let me read your calendar') } as const

/** Callers who are believed what they say of themselves. */
const securitySchemes = { name: { httpAuthSecurityScheme: { scheme: 'Name' } } }
const believes = defineAuthenticator({
  schemes: securitySchemes,
  authenticate({ headers }) {
    const subject = /^Name (.+)$/.exec(headers.get('Authorization') ?? '')?.[1]
    return subject ? { subject } : undefined
  },
})
const secured = { authenticate: [believes], card: testCard({ securitySchemes, securityRequirements: [{ schemes: { name: {} } }] }) }
const as = (name: string) => ({ headers: { Authorization: `Name ${name}` } })

/** Replicas of a server, each with a connection of its own to one database. */
async function startReplicas(count: number): Promise<TestServer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-replicas-'))
  const stores: TaskStore[] = []
  for (let replica = 0; replica < count; replica += 1) stores.push(await openSqliteStore({ path: join(folder, 'store.db') }))
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await rm(folder, { recursive: true })
  })
  return Promise.all(stores.map(async (store) => ({ ...(await startTestServer({ ...secured, store })), store })))
}

async function startServer(): Promise<TestServer> {
  const [server] = await startReplicas(1)
  return server as TestServer
}

/** A task of ann's with a watcher and an assignee from outside. */
async function taskThat(server: TestServer, kind: 'require-auth' | 'ask' | 'complete'): Promise<string> {
  const participants: readonly Participation[] = [
    { participant: 'ann', role: 'reporter' },
    { participant: 'will', role: 'watcher' },
    { participant: 'asa', role: 'assignee' },
  ]
  const task = { id: `task that ${kind}`, agent: 'tester', tenant: '', contextId: 'c', participants }
  const sender = { tenant: '', subject: 'ann', participant: 'ann', claims: {} }
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } as const
  await server.store.transact([task.id], (tx) => tx.create(task, { key: task.id, digest: '', message, sender }))
  await playTurn(server.store, task.id, kind === 'require-auth' ? asks : { kind, message: says('so') })
  return task.id
}

const authorize = (server: TestServer, id: string, name: string, fields: Fields = {}) =>
  http.call(server, 'authorizeTask', { id, ...fields }, as(name))

describe('POST tasks/{id}:authorize', () => {
  test('lets the task go on, at any replica, to the end of every stream', async () => {
    const [first, second] = (await startReplicas(2)) as [TestServer, TestServer]
    const sent = readSse(await http.call(first, 'sendStreamingMessage', { message: hello() }, as('ann')))
    const { taskId } = await first.woken(1)
    await playTurn(first.store, taskId, asks)
    const task = await http.result(await authorize(second, taskId, 'ann', { scheme: 'calendar' }))
    expect(task).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_WORKING' } })
    expect(await second.woken(1)).toEqual({ agent: 'tester', taskId, unhandled: [{ position: 2, kind: 'authorization' }] })
    await playTurn(second.store, taskId, { kind: 'complete', message: says('booked') })
    expect((await sent.rest()).map(({ data }) => /TASK_STATE_(\w+)/.exec(data)?.[1])).toEqual([
      ...['SUBMITTED', 'WORKING', 'AUTH_REQUIRED', 'WORKING', 'COMPLETED'],
    ])
  })

  test('answers the same again with the task, and wakes nobody once it is done', async () => {
    const server = await startServer()
    const id = await taskThat(server, 'require-auth')
    const empty = await server.fetch(`/a2a/tasks/${id}:authorize`, {
      method: 'POST',
      headers: { 'A2A-Version': '1.0', ...as('ann').headers },
    })
    expect(await http.result(empty)).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } })
    await http.result(await authorize(server, id, 'ann'))
    await playTurn(server.store, id, { kind: 'complete' })
    expect(await http.result(await authorize(server, id, 'ann'))).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } })
    expect(server.wakes).toHaveLength(2)
  })

  test.each([
    ['nobody who is known', '', 401, []],
    ['a stranger', 'bob', 404, [{ reason: 'TASK_NOT_FOUND' }]],
    ['a watcher', 'will', 400, [{ reason: 'UNSUPPORTED_OPERATION' }]],
    ['an assignee', 'asa', 400, [{ reason: 'UNSUPPORTED_OPERATION' }]],
  ])('is refused to %s', async (_, name, httpStatus, details) => {
    const server = await startServer()
    const id = await taskThat(server, 'require-auth')
    const error = await http.error(await authorize(server, id, name))
    expect(error).toMatchObject({ httpStatus, details })
    expect(await server.store.record(id)).toMatchObject({ state: 'TASK_STATE_AUTH_REQUIRED', position: 1 })
    expect(server.wakes).toEqual([])
  })

  test.each([
    ['has ended', 'complete', 'TASK_STATE_COMPLETED'],
    ['asks for something else', 'ask', 'TASK_STATE_INPUT_REQUIRED'],
  ] as const)('is refused by a task that %s, naming its state', async (_, kind, state) => {
    const server = await startServer()
    const error = await http.error(await authorize(server, await taskThat(server, kind), 'ann'))
    expect(error).toMatchObject({ httpStatus: 400, details: [{ reason: 'UNSUPPORTED_OPERATION' }] })
    expect(error.message).toBe(`The task waits for no authorisation: it is in the state ${state}`)
  })

  test('is refused for another scheme than the one that is asked for', async () => {
    const server = await startServer()
    const error = await http.error(await authorize(server, await taskThat(server, 'require-auth'), 'ann', { scheme: 'mail' }))
    expect(error.details.at(-1)).toMatchObject({ fieldViolations: [{ field: 'scheme' }] })
  })

  test('is no method of JSON-RPC, and no route where nobody is known', async () => {
    const server = await startServer()
    const id = await taskThat(server, 'require-auth')
    expect((await jsonRpc.error(await jsonRpc.call(server, 'authorizeTask', { id }, as('ann')))).code).toBe(-32601)
    const open = await startTestServer()
    expect((await http.call(open, 'authorizeTask', { id })).status).toBe(405)
  })
})
