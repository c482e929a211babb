import { openPushConfig } from '@moorage/push'
import { describe, expect, test } from 'vitest'
import { createHarness } from './harness.js'
import { BINDINGS, type Fields, type TestBinding } from './testing/bindings.js'
import { playTurn, says } from './testing/play.js'
import { PUSH_KEYS, PUSHING } from './testing/push.js'
import { readSse } from './testing/read-sse.js'
import { testAgent } from './testing/test-agent.js'
import { startTestServer, type TestServer } from './testing/test-server.js'
import { endedTask, hello, newTask, watchedTask } from './testing/test-tasks.js'

const url = 'https://example.com/hook'
const secrets = { token: 'my-token', authentication: { scheme: 'Bearer', credentials: 'my-credentials' } }
const shown = { url, authentication: { scheme: 'Bearer' } }

async function start(binding: TestBinding) {
  const server = await startTestServer(PUSHING)
  const ask = async (operation: Parameters<TestBinding['call']>[1], request: Fields) =>
    binding.result(await binding.call(server, operation, request))
  return {
    server,
    create: (request: Fields) => ask('createTaskPushNotificationConfig', { url, ...request }),
    get: (request: Fields) => ask('getTaskPushNotificationConfig', request),
    list: (request: Fields) => ask('listTaskPushNotificationConfigs', request),
    remove: (request: Fields) => ask('deleteTaskPushNotificationConfig', request),
    send: (request: Fields) => ask('sendMessage', request),
  }
}

const open = ({ store }: TestServer, taskId: string, id: string) => openPushConfig(store, PUSH_KEYS, taskId, id)

describe.each(BINDINGS)('$name', (binding) => {
  test('registers a config under the id that it has, or a new one, and never shows its secrets again', async () => {
    const { server, create, get, list } = await start(binding)
    const taskId = await newTask(server)
    const created = await create({ taskId, id: 'c1', ...secrets })
    expect(created).toEqual({ taskId, id: 'c1', ...shown })
    const named = await create({ taskId })
    expect(named).toEqual({ taskId, url, id: expect.stringMatching(/^[\da-f-]{36}$/) })
    expect(await get({ taskId, id: 'c1' })).toEqual(created)
    expect(await list({ taskId })).toEqual({ configs: [created, named], nextPageToken: '' })
    expect(await open(server, taskId, 'c1')).toEqual({ taskId, id: 'c1', url, ...secrets, wireVersion: '1.0' })
    expect(JSON.stringify([server.logged, await server.store.pushConfig(taskId, 'c1')])).not.toContain('my-')
  })

  test('replaces a config by its id, within its task only', async () => {
    const { server, create, get } = await start(binding)
    const taskId = await newTask(server)
    const message = hello({ messageId: 'm-2' })
    const sent = (await binding.result(
      await binding.call(server, 'sendMessage', { message, configuration: { returnImmediately: true } }),
    )) as { task: { id: string } }
    await create({ taskId, id: 'c1', ...secrets })
    await create({ taskId: sent.task.id, id: 'c1' })
    await create({ taskId, id: 'c1', url: `${url}/new` })
    expect(await get({ taskId, id: 'c1' })).toEqual({ taskId, id: 'c1', url: `${url}/new` })
    expect(await open(server, taskId, 'c1')).not.toHaveProperty('token')
    expect(await get({ taskId: sent.task.id, id: 'c1' })).toMatchObject({ url })
  })

  test('works on a task that has ended, and keeps its configs', async () => {
    const { server, create, get, list, remove } = await start(binding)
    const taskId = await newTask(server)
    await create({ taskId, id: 'before' })
    await playTurn(server.store, taskId, { kind: 'complete' })
    await create({ taskId, id: 'after' })
    expect(await get({ taskId, id: 'before' })).toMatchObject({ url })
    await remove({ taskId, id: 'before' })
    expect(await list({ taskId })).toMatchObject({ configs: [{ id: 'after' }] })
  })

  test('deletes for good, and again without an error', async () => {
    const { server, create, list, remove } = await start(binding)
    const taskId = await newTask(server)
    await create({ taskId, id: 'c1' })
    for (const id of ['c1', 'c1', 'never']) expect(await remove({ taskId, id })).toEqual({})
    expect(await list({ taskId })).toEqual({ configs: [], nextPageToken: '' })
    const gone = await binding.error(await binding.call(server, 'getTaskPushNotificationConfig', { taskId, id: 'c1' }))
    expect(gone).toMatchObject({ message: 'The task has no such push notification config', details: [{ metadata: { taskId, id: 'c1' } }] })
  })

  test('lists in pages, whose tokens are of this list alone', async () => {
    const { server, create, list } = await start(binding)
    const taskId = await newTask(server)
    for (const id of ['a', 'b', 'c']) await create({ taskId, id })
    const first = await list({ taskId, pageSize: 2 })
    expect(first).toMatchObject({ configs: [{ id: 'a' }, { id: 'b' }], nextPageToken: expect.stringMatching(/./) })
    const second = await list({ taskId, pageSize: 2, pageToken: first['nextPageToken'] })
    expect(second).toMatchObject({ configs: [{ id: 'c' }], nextPageToken: '' })
    expect(await list({ taskId, pageSize: 3 })).toMatchObject({ nextPageToken: '' })
    const elsewhere = await binding.call(server, 'listTasks', { pageToken: first['nextPageToken'] })
    expect((await binding.error(elsewhere)).message).toBe('Invalid parameters: pageToken')
  })

  test('registers the config of a message with the message, and not again for a duplicate', async () => {
    const { server, list, remove, send } = await start(binding)
    const request = {
      message: hello(),
      configuration: { returnImmediately: true, taskPushNotificationConfig: { url, id: 'c1', ...secrets } },
    }
    const { task } = (await send(request)) as { task: { id: string } }
    expect(await list({ taskId: task.id })).toMatchObject({ configs: [{ id: 'c1', ...shown }] })
    expect(await open(server, task.id, 'c1')).toMatchObject({ ...secrets, wireVersion: '1.0' })
    await remove({ taskId: task.id, id: 'c1' })
    await send(request)
    expect(await list({ taskId: task.id })).toMatchObject({ configs: [] })
    const taskPushNotificationConfig = { url, taskId: task.id, id: 'c2' }
    await send({
      message: hello({ messageId: 'm-2', taskId: task.id }),
      configuration: { returnImmediately: true, taskPushNotificationConfig },
    })
    expect(await list({ taskId: task.id })).toMatchObject({ configs: [{ id: 'c2' }] })
  })

  test('registers the config of a streamed message before its first update', async () => {
    const { server, list } = await start(binding)
    const request = { message: hello(), configuration: { taskPushNotificationConfig: { url, id: 'c1' } } }
    const stream = readSse(await binding.call(server, 'sendStreamingMessage', request))
    const first = binding.payload((await stream.next())?.data ?? '') as { task: { id: string } }
    expect(await list({ taskId: first.task.id })).toMatchObject({ configs: [{ id: 'c1' }] })
    await playTurn(server.store, first.task.id, { kind: 'complete', message: says('done') })
    expect(await stream.rest()).not.toEqual([])
  })

  test('keeps to the tenant of the task', async () => {
    const { create, get, send, server } = await start(binding)
    const inline = { url, id: 'c1', tenant: 'acme' }
    const configuration = { returnImmediately: true, taskPushNotificationConfig: inline }
    const { task } = (await send({ tenant: 'acme', message: hello(), configuration })) as { task: { id: string } }
    const of = { tenant: 'acme', taskId: task.id }
    expect(await get({ ...of, id: 'c1' })).toEqual({ ...inline, taskId: task.id })
    expect(await create({ ...of, id: 'c2' })).toEqual({ ...of, id: 'c2', url })
    const others = await binding.call(server, 'getTaskPushNotificationConfig', { taskId: task.id, id: 'c1' })
    expect((await binding.error(others)).message).toBe('Task not found')
  })

  test('tells nobody whether a task of others exists', async () => {
    const { server } = await start(binding)
    const participants = [{ participant: 'bob', role: 'admin' }] as const
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const
    const sender = { tenant: '', subject: 'bob', participant: 'bob', claims: {} }
    await server.store.transact(['of-bob'], async (tx) => {
      await tx.create(
        { id: 'of-bob', agent: 'tester', tenant: '', contextId: 'c', participants },
        { key: 'k', digest: 'd', message, sender },
      )
      await tx.putPushConfig('of-bob', { id: 'c1', url, wireVersion: '1.0' })
    })
    const requests = [
      ['createTaskPushNotificationConfig', { id: 'c1', url }],
      ['getTaskPushNotificationConfig', { id: 'c1' }],
      ['listTaskPushNotificationConfigs', {}],
      ['deleteTaskPushNotificationConfig', { id: 'c1' }],
    ] as const
    for (const [operation, request] of requests) {
      const theirs = await (await binding.call(server, operation, { ...request, taskId: 'of-bob' })).text()
      const none = await (await binding.call(server, operation, { ...request, taskId: 'no-such' })).text()
      expect(theirs.replaceAll('of-bob', 'no-such')).toBe(none)
      expect(none).toContain('Task not found')
    }
  })

  test('refuses one config too many by name', async () => {
    const { server, create } = await start(binding)
    const taskId = await newTask(server)
    for (let number = 1; number <= 20; number += 1) await create({ taskId, id: `c${number}` })
    const refusals = [
      ['createTaskPushNotificationConfig', { taskId, url }, 'taskId'],
      [
        'sendMessage',
        { message: hello({ taskId, messageId: 'm-2' }), configuration: { taskPushNotificationConfig: { url } } },
        'configuration.taskPushNotificationConfig',
      ],
    ] as const
    for (const [operation, request, field] of refusals) {
      const { details } = await binding.error(await binding.call(server, operation, request))
      const description = expect.stringMatching(/^The task has 20 push notification configs/)
      expect(details).toContainEqual(expect.objectContaining({ fieldViolations: [{ field, description }] }))
    }
    expect(await create({ taskId, id: 'c1' })).toMatchObject({ id: 'c1' })
  })

  test('lets a watcher see none of them', async () => {
    const { server } = await start(binding)
    const taskId = await watchedTask(server)
    for (const operation of ['getTaskPushNotificationConfig', 'deleteTaskPushNotificationConfig'] as const) {
      const { message } = await binding.error(await binding.call(server, operation, { taskId, id: 'c1' }))
      expect(message).toBe('A watcher of the task may only read it, and not its push notification configs')
    }
  })

  test('does not register the config of a message that is refused', async () => {
    const { server, list } = await start(binding)
    const taskId = await endedTask(server, 'complete')
    const request = { message: hello({ taskId, messageId: 'm-2' }), configuration: { taskPushNotificationConfig: { url } } }
    expect((await binding.error(await binding.call(server, 'sendMessage', request))).message).toMatch(/terminal state/)
    expect(await list({ taskId })).toMatchObject({ configs: [] })
  })
})

test('takes task and tenant from the path of HTTP+JSON, and refuses a body that says otherwise', async () => {
  const server = await startTestServer(PUSHING)
  const headers = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' }
  const post = (path: string, body: object) => server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const sent = await post('/a2a/acme/message:send', { message: hello(), configuration: { returnImmediately: true } })
  const { task } = (await sent.json()) as { task: { id: string } }
  const path = `/a2a/acme/tasks/${task.id}/pushNotificationConfigs`
  const created = await post(path, { url, id: 'c/1', taskId: task.id })
  const config = { tenant: 'acme', id: 'c/1', taskId: task.id, url }
  expect([created.status, await created.json()]).toEqual([200, config])
  expect(await (await server.fetch(path, { headers })).json()).toEqual({ configs: [config], nextPageToken: '' })
  const deleted = await server.fetch(`${path}/c%2F1`, { method: 'DELETE', headers })
  expect([deleted.status, await deleted.json()]).toEqual([200, {}])
  for (const other of [{ taskId: 'other' }, { task_id: 'other' }]) {
    const refused = await post(path, { url, ...other })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('differs from the one in the URL')])
  }
})

test('names the option that a card with push notifications needs', async () => {
  const { store } = await startTestServer()
  const { card } = PUSHING
  if (card === undefined) throw new Error('no card')
  const options = { card, store, waker: { wake: () => {} }, logger: { error: () => {} } }
  expect(() => createHarness(testAgent(), options)).toThrow(/: pushKeys must be given: the card declares push notifications$/)
})
