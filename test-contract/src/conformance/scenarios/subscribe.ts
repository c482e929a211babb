import { expect } from 'vitest'
import { atOnce, fresh, says, scripted, taskIn, textOf, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { untilState } from '../until-state.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'

scenario(
  'the task and what follows it are the whole, without gap or double',
  ['SUB-01', 'SUB-04', 'BIND-07'],
  async ({ client, other, open }) => {
    const gate = fresh('middle')
    const script = [
      { chunks: 50, everyMs: 0, artifact: 'a' },
      { await: gate },
      { chunks: 50, everyMs: 1, artifact: 'b' },
      { complete: 'done' },
    ]
    const { task } = await other.result<{ task: WireTask }>('SendMessage', atOnce(scripted(script)))
    await untilState(other, task.id, 'TASK_STATE_WORKING')
    const stream = await client.stream('SubscribeToTask', { id: task.id })
    const snapshot = taskIn(await stream.next())
    await open(gate)
    const updates = (await stream.rest()).map(({ payload }) => payload)
    expect(updates.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } })
    const end = await other.result<WireTask>('GetTask', { id: task.id })
    for (const artifactId of ['a', 'b']) expect(fold(snapshot, updates, artifactId)).toBe(fold(end, [], artifactId))
  },
)

/** The text of an artifact, as a reader has it that takes the snapshot and then each update. */
function fold(snapshot: WireTask, updates: readonly Fields[], artifactId: string): string {
  const start = textOf(snapshot.artifacts?.find((artifact) => artifact.artifactId === artifactId)?.parts)
  return updates.reduce((text, payload) => {
    const update = payload['artifactUpdate'] as { append?: boolean; artifact: { artifactId: string; parts: Fields[] } } | undefined
    if (update?.artifact.artifactId !== artifactId) return text
    return (update.append === true ? text : '') + textOf(update.artifact.parts)
  }, start)
}

scenario('what has ended cannot be subscribed to', ['SUB-02', 'ERR-04', 'STREAM-11'], async ({ client, other, binding }) => {
  for (const end of ['complete', 'fail', 'reject', 'cancel']) {
    const { task } = await other.result<{ task: WireTask }>('SendMessage', scripted([{ [end === 'cancel' ? 'ask' : end]: 'over' }]))
    if (end === 'cancel') await other.result('CancelTask', { id: task.id })
    expectError(await client.refusal('SubscribeToTask', { id: task.id }), binding, 'UNSUPPORTED_OPERATION')
  }
})

scenario('what does not exist cannot be subscribed to', ['SUB-03', 'ERR-01', 'STREAM-11'], async ({ client, binding }) => {
  expectError(await client.refusal('SubscribeToTask', { id: fresh('none') }), binding, 'TASK_NOT_FOUND')
})

scenario('a question keeps a subscription open until the end of its task', ['SUB-04', 'SUB-05'], async ({ client, other }) => {
  const { task } = await other.result<{ task: WireTask }>('SendMessage', scripted([{ ask: 'more?' }]))
  const stream = await client.stream('SubscribeToTask', { id: task.id })
  expect((await stream.next())?.payload).toMatchObject({ task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } })
  await other.result('SendMessage', scripted([{ ask: 'and more?' }], { taskId: task.id }))
  await other.result('SendMessage', says('that is all', { taskId: task.id }))
  const states = (await stream.rest()).flatMap(({ payload }) => {
    const update = payload['statusUpdate'] as { status: { state: string } } | undefined
    return update ? [update.status.state] : []
  })
  expect(states.filter((state, index) => state !== states[index - 1])).toEqual([
    'TASK_STATE_WORKING',
    'TASK_STATE_INPUT_REQUIRED',
    'TASK_STATE_WORKING',
    'TASK_STATE_COMPLETED',
  ])
})
