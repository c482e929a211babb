import { expect } from 'vitest'
import { kitId, kitMessage } from '../kit/kit-messages.js'
import type { WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { kitTask } from './kit-core.js'
import type { TaskList } from './list-tasks.js'

scenario('the kit: the history of a task', ['CORE-HIST-001', 'CORE-HIST-002', 'GET-03', 'GET-04'], async ({ kit }) => {
  const { id } = await kitTask(kit, 'complete-task')
  expect(await kit.result('GetTask', { id, historyLength: 0 })).not.toHaveProperty('history')
  expect((await kit.result<WireTask>('GetTask', { id, historyLength: 1 })).history?.length).toBeLessThanOrEqual(1)
})

scenario('the kit: an answer without history', ['CORE-HIST-003', 'SEND-19'], async ({ kit }) => {
  const { id: taskId } = await kitTask(kit, 'input-required')
  const message = kitMessage('complete-task', 'Follow-up with no history', { taskId })
  const { task } = await kit.result<{ task: WireTask }>('SendMessage', { message, configuration: { historyLength: 0 } })
  expect(task).not.toHaveProperty('history')
})

scenario('the kit: the history is in order, and has what was sent', ['CORE-HIST-005', 'CORE-HIST-006', 'GET-07'], async ({ kit }) => {
  const { id } = await kitTask(kit, 'complete-task')
  const { history } = await kit.result<WireTask>('GetTask', { id, historyLength: 10 })
  expect(history?.[0]).toMatchObject({ role: 'ROLE_USER', parts: [{ text: 'TCK prerequisite task creation' }] })
})

scenario(
  'the kit: tasks are listed',
  ['CORE-LIST-001', 'CORE-LIST-002', 'CORE-LIST-003', 'CORE-LIST-004', 'CORE-LIST-005', 'LIST-01', 'LIST-08'],
  async ({ kit }) => {
    const contextId = kitId('test-context')
    for (let task = 1; task <= 3; task++)
      await kit.result('SendMessage', { message: kitMessage('complete-task', 'List me', { contextId }) })
    const all = await kit.result<TaskList>('ListTasks', { contextId })
    expect(all.tasks.length).toBeGreaterThanOrEqual(3)
    const times = all.tasks.map(({ status }) => Date.parse(status.timestamp))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const page = await kit.result<TaskList>('ListTasks', { contextId, pageSize: 2 })
    expect([page.tasks.length, page.nextPageToken === '']).toEqual([2, false])
    expect(await kit.result('ListTasks', { contextId, pageSize: 100 })).toMatchObject({ nextPageToken: '' })
    const without = await kit.result<TaskList>('ListTasks', { contextId, includeArtifacts: false })
    for (const task of without.tasks) expect(task).not.toHaveProperty('artifacts')
  },
)
