import { expect } from 'vitest'
import { atOnce, fresh, says, scripted, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'
import type { WireClient } from '../wire/wire-client.js'

const PUSH = { profile: 'everything' } as const
const url = 'https://example.com/hook'

async function newTask(client: WireClient, end: Fields = { ask: 'more?' }): Promise<string> {
  return (await client.result<{ task: WireTask }>('SendMessage', scripted([end]))).task.id
}

async function idsOf(client: WireClient, taskId: string): Promise<readonly unknown[]> {
  const { configs } = await client.result<{ configs: readonly Fields[] }>('ListTaskPushNotificationConfigs', { taskId })
  return configs.map(({ id }) => id)
}

scenario(
  'a config gets an id or keeps its own, and one of another task is another',
  ['PUSH-02', 'BIND-07'],
  PUSH,
  async ({ client, other }) => {
    const [one, two] = [await newTask(client), await newTask(client)]
    const { id } = await client.result('CreateTaskPushNotificationConfig', { taskId: one, url })
    expect(id).toMatch(/./)
    for (const taskId of [one, two]) {
      const config = { taskId, id: 'mine', url: `${url}/${taskId}` }
      expect(await client.result('CreateTaskPushNotificationConfig', config)).toEqual(config)
      expect(await other.result('GetTaskPushNotificationConfig', { taskId, id: 'mine' })).toEqual(config)
    }
    const replaced = { taskId: one, id: 'mine', url: `${url}/again` }
    await client.result('CreateTaskPushNotificationConfig', replaced)
    expect(await other.result('GetTaskPushNotificationConfig', { taskId: one, id: 'mine' })).toEqual(replaced)
    expect(await idsOf(other, one)).toEqual([id, 'mine'])
  },
)

scenario('no config is there for a task that is not', ['PUSH-03', 'PUSH-08', 'ERR-01'], PUSH, async ({ client, binding }) => {
  const taskId = fresh('none')
  expectError(await client.refusal('CreateTaskPushNotificationConfig', { taskId, url }), binding, 'TASK_NOT_FOUND')
  expectError(await client.refusal('GetTaskPushNotificationConfig', { taskId, id: 'a' }), binding, 'TASK_NOT_FOUND')
  expectError(await client.refusal('ListTaskPushNotificationConfigs', { taskId }), binding, 'TASK_NOT_FOUND')
  expectError(await client.refusal('DeleteTaskPushNotificationConfig', { taskId, id: 'a' }), binding, 'TASK_NOT_FOUND')
})

scenario('a URL that is no webhook is refused', ['PUSH-04', 'ERR-13'], PUSH, async ({ client, binding }) => {
  const taskId = await newTask(client)
  for (const wrong of ['', 'hook', '/hook', 'ftp://example.com/hook', 'javascript:1']) {
    expectError(await client.refusal('CreateTaskPushNotificationConfig', { taskId, url: wrong }), binding, 'INVALID_PARAMS', ['url'])
  }
  expectError(await client.refusal('CreateTaskPushNotificationConfig', { taskId }), binding, 'INVALID_PARAMS', ['url'])
  expect(await idsOf(client, taskId)).toEqual([])
})

scenario(
  'configs are made, kept and deleted on a task that has ended too',
  ['PUSH-05', 'PUSH-06', 'PUSH-08', 'BIND-07'],
  PUSH,
  async ({ client, other, binding }) => {
    const taskId = await newTask(client)
    await client.result('CreateTaskPushNotificationConfig', { taskId, id: 'before', url })
    await other.result('SendMessage', says('that is all', { taskId }))
    await client.result('CreateTaskPushNotificationConfig', { taskId, id: 'after', url })
    expect(await idsOf(other, taskId)).toEqual(['before', 'after'])
    for (const _ of ['once', 'again']) await client.result('DeleteTaskPushNotificationConfig', { taskId, id: 'before' })
    expectError(await client.refusal('GetTaskPushNotificationConfig', { taskId, id: 'before' }), binding, 'TASK_NOT_FOUND')
    expect(await idsOf(other, taskId)).toEqual(['after'])
  },
)

scenario('the list has all configs, page by page', ['PUSH-07'], PUSH, async ({ client, other }) => {
  const taskId = await newTask(client)
  expect(await client.result('ListTaskPushNotificationConfigs', { taskId })).toEqual({ configs: [], nextPageToken: '' })
  for (const id of ['a', 'b', 'c']) await other.result('CreateTaskPushNotificationConfig', { taskId, id, url })
  const first = await client.result<{ configs: Fields[]; nextPageToken: string }>('ListTaskPushNotificationConfigs', {
    taskId,
    pageSize: 2,
  })
  expect(first.configs.map(({ id }) => id)).toEqual(['a', 'b'])
  const second = { taskId, pageSize: 2, pageToken: first.nextPageToken }
  expect(await client.result('ListTaskPushNotificationConfigs', second)).toMatchObject({ configs: [{ id: 'c' }], nextPageToken: '' })
})

scenario('secrets are never shown again', ['PUSH-09'], PUSH, async ({ client, other }) => {
  const taskId = await newTask(client)
  const config = { taskId, id: 'a', url, token: 'my-token', authentication: { scheme: 'Bearer', credentials: 'my-credentials' } }
  const answers = [
    await client.result('CreateTaskPushNotificationConfig', config),
    await client.result('GetTaskPushNotificationConfig', { taskId, id: 'a' }),
    await other.result('ListTaskPushNotificationConfigs', { taskId }),
  ]
  for (const answer of answers) expect(JSON.stringify(answer)).not.toMatch(/my-/)
  expect(answers[1]).toMatchObject({ id: 'a', authentication: { scheme: 'Bearer' } })
})

scenario(
  'a config that comes with a message is there before the task begins',
  ['SEND-05', 'SEND-20'],
  PUSH,
  async ({ client, other, open }) => {
    const gate = fresh('inline')
    const configuration = { taskPushNotificationConfig: { id: 'inline', url } }
    const request = atOnce({ ...scripted([{ await: gate }, { complete: 'done' }]), configuration })
    const { task } = await client.result<{ task: WireTask }>('SendMessage', request)
    expect(await idsOf(other, task.id)).toEqual(['inline'])
    await open(gate)
  },
)

scenario(
  "the task of a config is the path's, which the body may repeat",
  ['BIND-06'],
  { ...PUSH, on: ['HTTP+JSON'] },
  async ({ client, url: server }) => {
    const taskId = await newTask(client)
    const post = async (body: Fields) => {
      const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
      const path = `${server}/a2a/tasks/${taskId}/pushNotificationConfigs`
      return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status
    }
    expect([
      await post({ url }),
      await post({ url, taskId }),
      await post({ url, taskId: '' }),
      await post({ url, taskId: 'another' }),
    ]).toEqual([200, 200, 200, 400])
  },
)
