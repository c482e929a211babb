import { expect } from 'vitest'
import { atOnce, fresh, says, scripted, textOf, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { untilState } from '../until-state.js'
import { expectError } from '../wire/expect-error.js'

const ENDS = [
  ['complete', 'TASK_STATE_COMPLETED'],
  ['fail', 'TASK_STATE_FAILED'],
  ['reject', 'TASK_STATE_REJECTED'],
  ['ask', 'TASK_STATE_INPUT_REQUIRED'],
  ['auth', 'TASK_STATE_AUTH_REQUIRED'],
] as const

scenario('a send waits for each end of its message, and answers with a task alone', ['SEND-01', 'SEND-02'], async ({ client }) => {
  for (const [end, state] of ENDS) {
    const answer = await client.result('SendMessage', scripted([{ sleepMs: 50 }, { [end]: 'over' }]))
    expect(Object.keys(answer)).toEqual(['task'])
    const task = answer['task'] as WireTask
    expect(task).not.toHaveProperty('kind')
    expect(task.status).toMatchObject({ state, message: { role: 'ROLE_AGENT', parts: [{ text: 'over' }] } })
  }
})

scenario('a waiting send answers when its task is canceled by another client', ['SEND-02', 'CANCEL-01'], async ({ client, other }) => {
  const { task } = await client.result<{ task: WireTask }>('SendMessage', scripted([{ ask: 'more?' }]))
  const reply = scripted([{ await: fresh('never') }], { taskId: task.id })
  const waiting = client.result<{ task: WireTask }>('SendMessage', reply)
  await untilState(other, task.id, 'TASK_STATE_WORKING')
  await other.result('CancelTask', { id: task.id })
  expect((await waiting).task).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_CANCELED' } })
})

scenario('the answer of a send that waited has all artifacts', ['SEND-03', 'BIND-07'], async ({ client, other }) => {
  const script = ['one', 'two', 'three'].map((artifact) => ({ chunk: `text of ${artifact}`, artifact }))
  const { task } = await client.result<{ task: WireTask }>('SendMessage', scripted([...script, { complete: 'done' }]))
  expect(task.artifacts?.map(({ artifactId, parts }) => [artifactId, textOf(parts)])).toEqual([
    ['one', 'text of one'],
    ['two', 'text of two'],
    ['three', 'text of three'],
  ])
  expect(await other.result('GetTask', { id: task.id })).toEqual(task)
})

scenario('returnImmediately answers while the agent is at work', ['SEND-04', 'BIND-07'], async ({ client, other, open }) => {
  const gate = fresh('work')
  const { task } = await client.result<{ task: WireTask }>('SendMessage', atOnce(scripted([{ await: gate }, { complete: 'done' }])))
  expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(task.status.state)
  await open(gate)
  expect(await untilState(other, task.id, 'TASK_STATE_COMPLETED')).toMatchObject({ status: { message: { parts: [{ text: 'done' }] } } })
})

scenario('returnImmediately cuts no stream short', ['SEND-05'], async ({ client }) => {
  const stream = await client.stream('SendStreamingMessage', atOnce(scripted([{ sleepMs: 50 }, { complete: 'done' }])))
  const events = await stream.rest()
  expect(events[0]?.payload).toHaveProperty('task')
  expect(events.at(-1)?.payload).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } })
})

scenario('each of twenty sends at once makes a task of its own', ['SEND-10'], async ({ client }) => {
  const sends = Array.from({ length: 20 }, () => client.result<{ task: WireTask }>('SendMessage', atOnce(says('hello'))))
  const ids = (await Promise.all(sends)).map(({ task }) => task.id)
  expect(new Set(ids).size).toBe(20)
})

scenario('historyLength limits the history of the answer', ['SEND-19'], async ({ client }) => {
  const asked = await client.result<{ task: WireTask }>('SendMessage', scripted([{ ask: 'more?' }]))
  for (const [historyLength, length] of [
    [0, 0],
    [1, 1],
  ] as const) {
    const request = { ...scripted([{ ask: 'more?' }], { taskId: asked.task.id }), configuration: { historyLength } }
    const { task } = await client.result<{ task: WireTask }>('SendMessage', request)
    expect(task.history?.length ?? 0).toBe(length)
    expect('history' in task).toBe(length > 0)
  }
})

scenario('acceptedOutputModes is taken, and the agent answers as it does', ['SEND-16'], async ({ client }) => {
  const request = { ...says('hello'), configuration: { acceptedOutputModes: ['application/json'] } }
  const { task } = await client.result<{ task: WireTask }>('SendMessage', request)
  expect(task.status.message?.parts).toEqual([{ text: expect.any(String) }])
})

scenario('referenceTaskIds stay with the message, and name tasks of the caller', ['SEND-17'], async ({ client, binding }) => {
  const { task: first } = await client.result<{ task: WireTask }>('SendMessage', says('hello'))
  const referenceTaskIds = [first.id]
  const { task } = await client.result<{ task: WireTask }>('SendMessage', says('hello', { referenceTaskIds }))
  expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  expect(task.history?.[0]).toMatchObject({ referenceTaskIds })
  const request = says('hello', { referenceTaskIds: [first.id, 'there-is-no-such-task'] })
  expectError(await client.refusal('SendMessage', request), binding, 'INVALID_PARAMS', ['message.referenceTaskIds[1]'])
})
