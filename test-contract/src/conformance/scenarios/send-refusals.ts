import { expect } from 'vitest'
import { fresh, says, scripted, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'

const SENDS = ['SendMessage', 'SendStreamingMessage'] as const

scenario(
  'no message goes to a task that has ended, whichever its end',
  ['SEND-06', 'ERR-04', 'STREAM-11'],
  async ({ client, other, binding }) => {
    for (const end of ['complete', 'fail', 'reject', 'cancel']) {
      const { task } = await client.result<{ task: WireTask }>('SendMessage', scripted([{ [end === 'cancel' ? 'ask' : end]: 'over' }]))
      if (end === 'cancel') await other.result('CancelTask', { id: task.id })
      for (const send of SENDS) {
        expectError(await client.refusal(send, says('one more', { taskId: task.id })), binding, 'UNSUPPORTED_OPERATION')
      }
    }
  },
)

scenario(
  'a message is recognised again even when its task has ended',
  ['SEND-06', 'SEND-18'],
  { profile: 'idempotent' },
  async ({ client, other }) => {
    const { task: asked } = await client.result<{ task: WireTask }>('SendMessage', scripted([{ ask: 'more?' }]))
    const reply = scripted([{ complete: 'done' }], { taskId: asked.id })
    const { task } = await client.result<{ task: WireTask }>('SendMessage', reply)
    expect(task.status.state).toBe('TASK_STATE_COMPLETED')
    expect(await other.result('SendMessage', reply)).toEqual({ task })
  },
)

scenario(
  'a new message that is sent again, over either binding, is the same task',
  ['SEND-18'],
  { profile: 'idempotent' },
  async ({ client, other }) => {
    const request = says('only once')
    const [{ task }, again] = [await client.result<{ task: WireTask }>('SendMessage', request), await other.result('SendMessage', request)]
    expect(again).toEqual({ task })
  },
)

scenario('no client makes up the id of a task', ['SEND-07', 'ERR-01'], async ({ client, binding }) => {
  const taskId = fresh('mine')
  const contextId = fresh('context')
  for (const send of SENDS) expectError(await client.refusal(send, says('hello', { taskId, contextId })), binding, 'TASK_NOT_FOUND')
  expectError(await client.refusal('GetTask', { id: taskId }), binding, 'TASK_NOT_FOUND')
  expect(await client.result('ListTasks', { contextId })).toMatchObject({ totalSize: 0 })
})

scenario('a part in a media type that the card does not take is refused', ['SEND-08', 'ERR-05'], async ({ client, binding }) => {
  const contextId = fresh('type')
  for (const part of [
    { text: 'hello', mediaType: 'application/x-nope' },
    { raw: 'aGVsbG8=', mediaType: 'image/png' },
  ]) {
    for (const send of SENDS) {
      expectError(await client.refusal(send, says('', { parts: [part], contextId })), binding, 'CONTENT_TYPE_NOT_SUPPORTED')
    }
  }
  expect(await client.result('ListTasks', { contextId })).toMatchObject({ totalSize: 0 })
})

scenario('what a message must have is named where it lacks', ['SEND-09', 'ERR-13'], async ({ client, binding }) => {
  const { message } = says('hello') as { message: Record<string, unknown> }
  for (const field of ['messageId', 'role', 'parts']) {
    const { [field]: _, ...rest } = message
    for (const send of SENDS) expectError(await client.refusal(send, { message: rest }), binding, 'INVALID_PARAMS', [`message.${field}`])
  }
  expectError(await client.refusal('SendMessage', { message: { ...message, parts: [] } }), binding, 'INVALID_PARAMS', ['message.parts'])
  expectError(await client.refusal('SendMessage', {}), binding, 'INVALID_PARAMS', ['message'])
})
