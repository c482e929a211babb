import { expect } from 'vitest'
import { atOnce, fresh, says, scripted, type WireMessage, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'

scenario(
  'a context id that the server made is in the task and in all that the agent says',
  ['SEND-11', 'STREAM-06'],
  async ({ client }) => {
    const stream = await client.stream(
      'SendStreamingMessage',
      scripted([{ status: 'at work' }, { chunk: 'a', artifact: 'a' }, { complete: 'done' }]),
    )
    const [first, ...updates] = (await stream.rest()).map(({ payload }) => payload)
    const task = first?.['task'] as WireTask
    expect(task.contextId).toMatch(/./)
    expect(updates.length).toBeGreaterThanOrEqual(3)
    for (const payload of updates) {
      const update = Object.values(payload)[0] as Fields & { readonly status?: { readonly message?: WireMessage } }
      expect(update).toMatchObject({ taskId: task.id, contextId: task.contextId })
      if (update.status?.message) expect(update.status.message).toMatchObject({ taskId: task.id, contextId: task.contextId })
    }
  },
)

scenario("the client's context id is kept", ['SEND-12'], async ({ client, other }) => {
  const contextId = fresh('of the client: ä/?')
  const { task } = await client.result<{ task: WireTask }>('SendMessage', says('hello', { contextId }))
  expect(task.contextId).toBe(contextId)
  expect(await other.result('GetTask', { id: task.id })).toMatchObject({ contextId, status: { message: { contextId } } })
})

scenario('a reply to a question goes on with its task, in its context', ['SEND-13', 'SEND-15', 'BIND-07'], async ({ client, other }) => {
  const { task: asked } = await client.result<{ task: WireTask }>('SendMessage', scripted([{ ask: 'Which region?' }]))
  const { task } = await other.result<{ task: WireTask }>('SendMessage', says('north', { taskId: asked.id }))
  expect(task).toMatchObject({ id: asked.id, contextId: asked.contextId, status: { state: 'TASK_STATE_COMPLETED' } })
  expect(task.history?.map(({ contextId }) => contextId)).toEqual(task.history?.map(() => asked.contextId))
})

scenario('a task that waits for an authorisation takes messages, and goes on', ['SEND-15', 'SEC-05'], async ({ client, other }) => {
  const { task: waiting } = await client.result<{ task: WireTask }>('SendMessage', scripted([{ auth: 'Please sign in' }]))
  expect(waiting.status).toMatchObject({ state: 'TASK_STATE_AUTH_REQUIRED', message: { parts: [{ text: 'Please sign in' }] } })
  const { task } = await other.result<{ task: WireTask }>('SendMessage', scripted([{ complete: 'thanks' }], { taskId: waiting.id }))
  expect(task).toMatchObject({ id: waiting.id, status: { state: 'TASK_STATE_COMPLETED' } })
})

scenario(
  'another context than that of the task is refused, and the task stays as it was',
  ['SEND-14', 'ERR-13'],
  async ({ client, other, binding }) => {
    const { task } = await client.result<{ task: WireTask }>('SendMessage', scripted([{ ask: 'more?' }]))
    const request = atOnce(says('hello', { taskId: task.id, contextId: fresh('another') }))
    expectError(await client.refusal('SendMessage', request), binding, 'INVALID_PARAMS', ['message.contextId'])
    expect(await other.result('GetTask', { id: task.id })).toEqual(task)
  },
)
