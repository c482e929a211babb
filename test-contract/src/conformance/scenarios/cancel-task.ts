import { expect } from 'vitest'
import { atOnce, fresh, scripted, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { untilState } from '../until-state.js'
import { expectError } from '../wire/expect-error.js'

scenario('a cancel stops what runs and what waits, and ends the streams', ['CANCEL-01', 'BIND-07'], async ({ client, other }) => {
  for (const script of [[{ await: fresh('never') }], [{ ask: 'more?' }]]) {
    const { task } = await other.result<{ task: WireTask }>('SendMessage', atOnce(scripted(script)))
    await untilState(other, task.id, script.length && 'ask' in (script[0] ?? {}) ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_WORKING')
    const stream = await other.stream('SubscribeToTask', { id: task.id })
    await stream.next()
    expect(await client.result('CancelTask', { id: task.id })).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_CANCELED' } })
    expect((await stream.rest()).at(-1)?.payload).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } })
  }
})

scenario('what has ended cannot be canceled', ['CANCEL-02', 'ERR-02'], async ({ client, other, binding }) => {
  for (const end of ['complete', 'fail', 'reject', 'cancel']) {
    const { task } = await other.result<{ task: WireTask }>('SendMessage', scripted([{ [end === 'cancel' ? 'ask' : end]: 'over' }]))
    if (end === 'cancel') await client.result('CancelTask', { id: task.id })
    expectError(await client.refusal('CancelTask', { id: task.id }), binding, 'TASK_NOT_CANCELABLE')
  }
})

scenario('what does not exist cannot be canceled', ['CANCEL-03', 'ERR-01'], async ({ client, binding }) => {
  expectError(await client.refusal('CancelTask', { id: fresh('none') }), binding, 'TASK_NOT_FOUND')
})

scenario(
  'a cancel may come without a body, with an empty one, and with metadata',
  ['CANCEL-05'],
  { on: ['HTTP+JSON'] },
  async ({ client, url }) => {
    const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
    for (const body of [undefined, '', '{}', '{"metadata":{"reason":"enough"}}']) {
      const { task } = await client.result<{ task: WireTask }>('SendMessage', scripted([{ ask: 'more?' }]))
      const response = await fetch(`${url}/a2a/tasks/${task.id}:cancel`, { method: 'POST', headers, ...(body !== undefined && { body }) })
      expect([response.status, await response.json()]).toMatchObject([200, { status: { state: 'TASK_STATE_CANCELED' } }])
    }
  },
)
