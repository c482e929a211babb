import { expect } from 'vitest'
import { kitId, kitMessage } from '../kit/kit-messages.js'
import type { WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'
import type { WireClient } from '../wire/wire-client.js'

/** What the kit makes before most of its tests, by the same message each time. */
export async function kitTask(kit: WireClient, name: 'complete-task' | 'input-required'): Promise<WireTask> {
  const { task } = await kit.result<{ task: WireTask }>('SendMessage', { message: kitMessage(name, 'TCK prerequisite task creation') })
  expect(task.status.state).toBe(name === 'complete-task' ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_INPUT_REQUIRED')
  return task
}

async function send(kit: WireClient, message: Fields, more: Fields = {}): Promise<WireTask> {
  return (await kit.result<{ task: WireTask }>('SendMessage', { message, ...more })).task
}

scenario('the kit: a message is completed', ['CORE-SEND-001', 'CORE-EXECUTION-MODE-001', 'SEND-01', 'SEND-02'], async ({ kit }) => {
  const task = await send(kit, kitMessage('complete-task', 'Hello from TCK'))
  expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Hello from TCK' }] } })
  const blocking = await send(kit, kitMessage('complete-task', 'Blocking request'), { configuration: { returnImmediately: false } })
  expect(blocking.status.state).toBe('TASK_STATE_COMPLETED')
})

scenario('the kit: returnImmediately', ['CORE-EXECUTION-MODE-002', 'SEND-04'], async ({ kit }) => {
  const task = await send(kit, kitMessage('complete-task', 'Non-blocking request'), { configuration: { returnImmediately: true } })
  expect(task).toMatchObject({ id: expect.any(String), status: { state: expect.stringMatching(/^TASK_STATE_/) } })
})

scenario('the kit: the same message id makes many tasks', ['CORE-MULTI-003', 'SEND-10'], async ({ kit }) => {
  const message = kitMessage('complete-task', 'New task request')
  const ids = [await send(kit, message), await send(kit, message), await send(kit, message)].map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
})

scenario('the kit: a message to a task that has ended', ['CORE-SEND-002', 'SEND-06'], async ({ kit, binding }) => {
  const { id: taskId } = await kitTask(kit, 'complete-task')
  const message = kitMessage('terminal', 'Follow-up to terminal task', { taskId })
  expectError(await kit.refusal('SendMessage', { message }), binding, 'UNSUPPORTED_OPERATION')
})

scenario('the kit: a part in an unsupported media type', ['CORE-SEND-003', 'SEND-08'], async ({ kit, binding }) => {
  const message = kitMessage('send-003', '', { parts: [{ raw: 'dGNr', mediaType: 'application/x-unsupported-tck-type' }] })
  expectError(await kit.refusal('SendMessage', { message }), binding, 'CONTENT_TYPE_NOT_SUPPORTED')
})

scenario('the kit: a request without anything', ['CORE-ERR-002', 'DM-SERIAL-004', 'SEND-09'], async ({ kit, binding }) => {
  expectError(await kit.refusal('SendMessage', {}), binding, 'INVALID_PARAMS', ['message'])
})

scenario('the kit: context ids', ['CORE-MULTI-001a', 'CORE-MULTI-002', 'CORE-MULTI-002a', 'SEND-11', 'SEND-12'], async ({ kit }) => {
  expect((await send(kit, kitMessage('complete-task', 'Message without contextId'))).contextId).not.toBe('')
  for (const [text, name] of [
    ['Message with contextId', 'client-context-001'],
    ['Message with client contextId', 'client-context-rejected'],
  ] as const) {
    const contextId = kitId(name)
    expect((await send(kit, kitMessage('complete-task', text, { contextId }))).contextId).toBe(contextId)
  }
})

scenario(
  'the kit: task ids and contexts of a follow-up',
  ['CORE-MULTI-004', 'CORE-MULTI-005', 'CORE-MULTI-006', 'SEND-07', 'SEND-13', 'SEND-14'],
  async ({ kit, binding }) => {
    const unknown = kitMessage('multi-004', 'Message to invalid task', { taskId: kitId('nonexistent-multi-004') })
    expectError(await kit.refusal('SendMessage', { message: unknown }), binding, 'TASK_NOT_FOUND')
    const { id: taskId, contextId } = await kitTask(kit, 'input-required')
    expect((await send(kit, kitMessage('infer-ctx', 'Follow-up message', { taskId }))).contextId).toBe(contextId)
    const ended = await kitTask(kit, 'complete-task')
    const mismatch = kitMessage('mismatch', 'Mismatched context test', { taskId: ended.id, contextId: kitId('wrong-context') })
    expectError(await kit.refusal('SendMessage', { message: mismatch }), binding, 'INVALID_PARAMS')
  },
)

scenario('the kit: a task is read', ['CORE-GET-001', 'CORE-GET-002', 'GET-01', 'GET-02'], async ({ kit, binding }) => {
  const { id } = await kitTask(kit, 'complete-task')
  expect(await kit.result('GetTask', { id })).toMatchObject({ id, status: { state: 'TASK_STATE_COMPLETED' } })
  expectError(await kit.refusal('GetTask', { id: kitId('nonexistent-get-002') }), binding, 'TASK_NOT_FOUND')
})

scenario(
  'the kit: a task is canceled',
  ['CORE-CANCEL-001', 'CORE-CANCEL-002', 'CORE-CANCEL-003', 'CANCEL-01', 'CANCEL-02', 'CANCEL-03'],
  async ({ kit, binding }) => {
    const { id } = await kitTask(kit, 'input-required')
    expect(await kit.result('CancelTask', { id })).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } })
    expectError(await kit.refusal('CancelTask', { id: (await kitTask(kit, 'complete-task')).id }), binding, 'TASK_NOT_CANCELABLE')
    expectError(await kit.refusal('CancelTask', { id: kitId('nonexistent-cancel-003') }), binding, 'TASK_NOT_FOUND')
  },
)
