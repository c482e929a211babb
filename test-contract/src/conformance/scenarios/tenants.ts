import { expect } from 'vitest'
import { atOnce, fresh, says, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'

const TENANTS = { profile: 'tenants' } as const

scenario(
  'a tenant that the card declares keeps its tasks to itself',
  ['ERR-22', 'BIND-04', 'LIST-11'],
  TENANTS,
  async ({ client, other, binding }) => {
    const contextId = fresh('north')
    const { task } = await client.result<{ task: WireTask }>('SendMessage', atOnce({ ...says('hello', { contextId }), tenant: 'north' }))
    expect(await other.result('GetTask', { id: task.id, tenant: 'north' })).toMatchObject({ id: task.id })
    for (const tenant of ['south', '']) {
      expectError(await client.refusal('GetTask', { id: task.id, tenant }), binding, 'TASK_NOT_FOUND')
      expect(await client.result('ListTasks', { contextId, tenant })).toMatchObject({ totalSize: 0 })
    }
    if (binding === 'HTTP+JSON') {
      expect(await client.result('GetTask', { id: task.id }, { tenant: 'north' })).toMatchObject({ id: task.id })
      expect(await client.result('ListTasks', { contextId }, { tenant: 'north' })).toMatchObject({ totalSize: 1 })
    }
  },
)

scenario('a tenant that nobody declares is refused', ['ERR-22'], TENANTS, async ({ client, binding }) => {
  expectError(await client.refusal('ListTasks', { tenant: 'west' }), binding, 'INVALID_PARAMS', ['tenant'])
  expectError(await client.refusal('SendMessage', { ...says('hello'), tenant: 'west' }), binding, 'INVALID_PARAMS', ['tenant'])
})

scenario(
  'path, query and body that name different tenants are refused',
  ['ERR-22'],
  { ...TENANTS, on: ['HTTP+JSON'] },
  async ({ client, binding }) => {
    const send = { ...says('hello'), tenant: 'south' }
    expectError(await client.refusal('SendMessage', send, { tenant: 'north' }), binding, 'INVALID_PARAMS', ['tenant'])
    expectError(await client.refusal('SendMessage', send, { query: { tenant: 'north' } }), binding, 'INVALID_PARAMS', ['tenant'])
    expectError(await client.refusal('ListTasks', { tenant: 'south' }, { tenant: 'north' }), binding, 'INVALID_PARAMS', ['tenant'])
  },
)

scenario(
  'a tenant hides no route of the server',
  ['ERR-22', 'BIND-04'],
  { ...TENANTS, on: ['HTTP+JSON'] },
  async ({ client, url, binding }) => {
    expect((await fetch(`${url}/.well-known/agent-card.json`)).status).toBe(200)
    for (const tenant of ['v1', 'tasks', 'ui', 'extendedAgentCard']) {
      expectError(await client.refusal('ListTasks', {}, { tenant }), binding, 'METHOD_NOT_FOUND')
    }
  },
)

scenario("another tenant's task has no push configs, and takes none", ['PUSH-10', 'PUSH-03'], TENANTS, async ({ client, binding }) => {
  const { task } = await client.result<{ task: WireTask }>('SendMessage', atOnce({ ...says('hello'), tenant: 'north' }))
  const ours = { taskId: task.id, id: 'mine', tenant: 'north' }
  await client.result('CreateTaskPushNotificationConfig', { ...ours, url: 'https://example.com/hook' })
  for (const tenant of ['south', '']) {
    const theirs = { ...ours, tenant }
    const create = { ...theirs, url: 'https://example.com/hook' }
    expectError(await client.refusal('CreateTaskPushNotificationConfig', create), binding, 'TASK_NOT_FOUND')
    expectError(await client.refusal('GetTaskPushNotificationConfig', theirs), binding, 'TASK_NOT_FOUND')
    expectError(await client.refusal('ListTaskPushNotificationConfigs', { taskId: task.id, tenant }), binding, 'TASK_NOT_FOUND')
    expectError(await client.refusal('DeleteTaskPushNotificationConfig', theirs), binding, 'TASK_NOT_FOUND')
  }
  expect(await client.result('GetTaskPushNotificationConfig', ours)).toMatchObject({ id: 'mine' })
})
