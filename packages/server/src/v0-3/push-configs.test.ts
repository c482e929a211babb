import { describe, expect, test } from 'vitest'
import { PUSH_KEYS } from '../testing/push.js'
import { newTask } from '../testing/test-tasks.js'
import { bothVersions, http, json, rpc, startBoth } from './testing/v0-3-server.js'

const url = 'https://example.com/hook'
const start = () => startBoth({ card: bothVersions({ capabilities: { streaming: true, pushNotifications: true } }), pushKeys: PUSH_KEYS })
const field = (name: string) => ({
  code: -32602,
  data: [{ reason: 'INVALID_PARAMS' }, { fieldViolations: [{ field: name, description: expect.any(String) }] }],
})

describe('push configs of A2A 0.3 in JSON-RPC', () => {
  test('are nested, and are found with their id and without', async () => {
    const server = await start()
    const taskId = await newTask(server)
    const config = { taskId, pushNotificationConfig: { id: 'c', url, authentication: { schemes: ['Bearer'] } } }
    const sent = {
      ...config.pushNotificationConfig,
      token: 'secret',
      authentication: { schemes: ['Bearer', 'Basic'], credentials: 'secret' },
    }
    const method = (name: string) => `tasks/pushNotificationConfig/${name}`
    const result = { jsonrpc: '2.0', id: 7, result: config }
    expect(await json(await rpc(server, method('set'), { taskId, pushNotificationConfig: sent }))).toEqual(result)
    expect(await json(await rpc(server, method('get'), { id: taskId, pushNotificationConfigId: 'c' }))).toEqual(result)
    expect(await json(await rpc(server, method('get'), { id: taskId }))).toEqual(result)
    expect(await json(await rpc(server, method('list'), { id: taskId }))).toEqual({ jsonrpc: '2.0', id: 7, result: [config] })
    const unnamed = await json(await rpc(server, method('set'), { taskId, pushNotificationConfig: { url } }))
    expect(unnamed['result']).toEqual({ taskId, pushNotificationConfig: { id: taskId, url } })
    expect((await json(await rpc(server, method('get'), { id: taskId })))['result']).toEqual(unnamed['result'])
    expect(await json(await rpc(server, method('delete'), { id: taskId, pushNotificationConfigId: 'c' }))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: null,
    })
  })

  test('name what is wrong with them as 0.3 does', async () => {
    const server = await start()
    const set = async (pushNotificationConfig: object) =>
      (await json(await rpc(server, 'tasks/pushNotificationConfig/set', { taskId: 't', pushNotificationConfig })))['error']
    expect(await set({ url: 'nope' })).toMatchObject(field('pushNotificationConfig.url'))
    expect(await set({ url, authentication: { schemes: [] } })).toMatchObject(field('pushNotificationConfig.authentication.schemes'))
    expect((await json(await rpc(server, 'tasks/pushNotificationConfig/get', { id: '' })))['error']).toMatchObject(field('id'))
  })

  test('are listed whole', async () => {
    const server = await start()
    const taskId = await newTask(server)
    const ids = Array.from({ length: 20 }, (_, number) => `c-${number}`)
    for (const id of ids) await rpc(server, 'tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { id, url } })
    const { result } = (await json(await rpc(server, 'tasks/pushNotificationConfig/list', { id: taskId }))) as { result: readonly object[] }
    expect(result.map((config) => (config as { pushNotificationConfig: { id: string } }).pushNotificationConfig.id)).toEqual(ids)
    const { configs } = (await json(await http(server, 'GET', `tasks/${taskId}/pushNotificationConfigs`))) as { configs: readonly object[] }
    expect(configs).toHaveLength(20)
    expect(await json(await http(server, 'GET', `tasks/${taskId}/pushNotificationConfigs?pageSize=10`))).toMatchObject({
      configs: { length: 10 },
      nextPageToken: expect.stringMatching(/./),
    })
  })
})

describe('push configs of A2A 0.3 in HTTP+JSON', () => {
  test('come bare or in `config`, and are resources with a name', async () => {
    const server = await start()
    const taskId = await newTask(server)
    const path = `tasks/${taskId}/pushNotificationConfigs`
    const shown = { name: `${path}/c`, pushNotificationConfig: { id: 'c', url, authentication: { schemes: ['Bearer'] } } }
    const given = { id: 'c', url, token: 'secret', authentication: { schemes: ['Bearer'], credentials: 'secret' } }
    for (const body of [
      { name: `${path}/c`, pushNotificationConfig: given },
      { pushNotificationConfig: given },
      { config: { push_notification_config: { ...given, id: '' } }, config_id: 'c', parent: `tasks/${taskId}` },
    ]) {
      const response = await http(server, 'POST', path, body)
      expect([response.status, await json(response)]).toEqual([200, shown])
    }
    expect(await json(await http(server, 'GET', `${path}/c`))).toEqual(shown)
    expect(await json(await http(server, 'GET', path))).toEqual({ configs: [shown], nextPageToken: '' })
    expect(await json(await http(server, 'POST', path, { name: `${path}/`, pushNotificationConfig: { url } }))).toMatchObject({
      name: `${path}/${taskId}`,
    })
    const deleted = await http(server, 'DELETE', `${path}/c`)
    expect([deleted.status, await json(deleted)]).toEqual([200, {}])
    expect((await http(server, 'GET', `${path}/c`)).status).toBe(404)
  })

  test('name what is wrong with them as 0.3 does', async () => {
    const server = await start()
    const create = async (body: unknown) => json(await http(server, 'POST', 'tasks/t/pushNotificationConfigs', body))
    expect(await create({ pushNotificationConfig: { url: 'nope' } })).toMatchObject(field('pushNotificationConfig.url'))
    expect(await create({ pushNotificationConfig: 'x' })).toMatchObject(field('pushNotificationConfig'))
    expect(await create({})).toMatchObject(field('pushNotificationConfig.url'))
    expect(await create({ name: 'tasks/other/pushNotificationConfigs/c', pushNotificationConfig: { url } })).toMatchObject(field('taskId'))
    expect(await create({ name: 'x', pushNotificationConfig: { url } })).toMatchObject(field('name'))
  })
})

test('a message of 0.3 brings its config with it', async () => {
  const server = await start()
  const pushNotification = { id: 'c', url }
  const message = { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hello' }] }
  const { task } = (await json(await http(server, 'POST', 'message:send', { message, configuration: { pushNotification } }))) as {
    task: { id: string }
  }
  expect((await server.store.pushConfig(task.id, 'c'))?.config).toMatchObject({ wireVersion: '0.3' })
})
