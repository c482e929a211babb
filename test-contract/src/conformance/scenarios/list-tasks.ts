import { expect } from 'vitest'
import { fresh, says, scripted, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'
import type { WireClient } from '../wire/wire-client.js'

export interface TaskList extends Fields {
  readonly tasks: readonly WireTask[]
  readonly nextPageToken: string
  readonly pageSize: number
  readonly totalSize: number
}

async function newTask(client: WireClient, contextId: string, end: Fields = { complete: 'done' }): Promise<WireTask> {
  return (await client.result<{ task: WireTask }>('SendMessage', scripted([{ chunk: 'a', artifact: 'a' }, end], { contextId }))).task
}

scenario('a list that is empty has all its fields', ['LIST-01', 'LIST-02'], async ({ client }) => {
  const list = await client.result('ListTasks', { contextId: fresh('empty') })
  expect(list).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 })
})

scenario('the task that changed last comes first', ['LIST-03', 'BIND-07'], async ({ client, other }) => {
  const contextId = fresh('order')
  const first = await newTask(other, contextId, { ask: 'more?' })
  const second = await newTask(other, contextId)
  const ids = async () => (await client.result<TaskList>('ListTasks', { contextId })).tasks.map(({ id }) => id)
  expect(await ids()).toEqual([second.id, first.id])
  await other.result('SendMessage', says('go on', { taskId: first.id }))
  expect(await ids()).toEqual([first.id, second.id])
})

scenario('filters hold together, and totalSize counts all that match', ['LIST-07', 'LIST-09'], async ({ client, other }) => {
  const contextId = fresh('filter')
  const asked = await newTask(other, contextId, { ask: 'more?' })
  const [one, two] = [await newTask(other, contextId), await newTask(other, contextId)]
  await newTask(other, fresh('elsewhere'))
  const list = (fields: Fields) => client.result<TaskList>('ListTasks', { contextId, ...fields })
  const ids = async (fields: Fields) => (await list(fields)).tasks.map(({ id }) => id)
  expect(await ids({ status: 'TASK_STATE_COMPLETED' })).toEqual([two.id, one.id])
  expect(await ids({ status: 'TASK_STATE_UNSPECIFIED' })).toEqual([two.id, one.id, asked.id])
  expect(await ids({ statusTimestampAfter: two.status.timestamp })).toEqual([two.id])
  expect(await ids({ status: 'TASK_STATE_INPUT_REQUIRED', statusTimestampAfter: two.status.timestamp })).toEqual([])
  expect(await list({ status: 'TASK_STATE_COMPLETED', pageSize: 1 })).toMatchObject({ totalSize: 2, pageSize: 1, tasks: [{ id: two.id }] })
})

scenario('a filter that is none is refused', ['LIST-07', 'ERR-13'], async ({ client, binding }) => {
  expectError(await client.refusal('ListTasks', { status: 'TASK_STATE_BORED' }), binding, 'INVALID_PARAMS', ['status'])
  expectError(await client.refusal('ListTasks', { statusTimestampAfter: 'yesterday' }), binding, 'INVALID_PARAMS', ['statusTimestampAfter'])
})

scenario('artifacts come where they are asked for', ['LIST-08'], async ({ client, other }) => {
  const contextId = fresh('artifacts')
  const task = await newTask(other, contextId)
  const only = async (fields: Fields) => (await client.result<TaskList>('ListTasks', { contextId, ...fields })).tasks[0]
  expect(await only({})).not.toHaveProperty('artifacts')
  expect(await only({ includeArtifacts: false })).not.toHaveProperty('artifacts')
  expect((await only({ includeArtifacts: true }))?.artifacts).toEqual(task.artifacts)
  expect((await client.result<WireTask>('GetTask', { id: task.id })).artifacts).toEqual(task.artifacts)
})

scenario('historyLength limits the history of each task', ['LIST-10'], async ({ client, other }) => {
  const contextId = fresh('history')
  const asked = await newTask(other, contextId, { ask: 'more?' })
  await other.result('SendMessage', scripted([{ ask: 'more?' }], { taskId: asked.id }))
  const only = async (historyLength: number) => (await client.result<TaskList>('ListTasks', { contextId, historyLength })).tasks[0]
  expect(await only(0)).not.toHaveProperty('history')
  expect((await only(1))?.history).toHaveLength(1)
  expect((await only(100))?.history?.length).toBeGreaterThan(1)
})
