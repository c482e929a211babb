import { expect } from 'vitest'
import { kitMessage } from '../kit/kit-messages.js'
import { atOnce, fresh, scripted, taskIn, type WireMessage, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'

const SCRIPT = [{ message: 'hello yourself' }]

scenario('an agent may answer with a message alone, which leaves no task to be seen', ['SEND-01', 'SEND-11'], async ({ client, other }) => {
  const answer = await client.result<{ message: WireMessage }>('SendMessage', scripted(SCRIPT))
  expect(Object.keys(answer)).toEqual(['message'])
  const { message } = answer
  expect(message).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'hello yourself' }], contextId: expect.stringMatching(/./) })
  expect(message).not.toHaveProperty('kind')
  expect(await other.result('ListTasks', { contextId: message.contextId })).toMatchObject({ totalSize: 0 })
  if (message.taskId !== undefined) expectError(await other.refusal('GetTask', { id: message.taskId }), other.binding, 'TASK_NOT_FOUND')
})

scenario(
  'where the client does not wait, or streams, such an agent makes a task',
  ['SEND-01', 'SEND-05', 'STREAM-02'],
  async ({ client, other }) => {
    const contextId = fresh('direct')
    const { task } = await client.result<{ task: WireTask }>('SendMessage', atOnce(scripted(SCRIPT, { contextId })))
    expect(await other.result('GetTask', { id: task.id })).toMatchObject({ id: task.id })
    const events = await (await client.stream('SendStreamingMessage', scripted(SCRIPT, { contextId }))).rest()
    expect(taskIn(events[0])).toMatchObject({ contextId })
    expect(events.flatMap(({ payload }) => Object.keys(payload))).not.toContain('message')
    expect(events.at(-1)?.payload).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } })
  },
)

scenario('the kit: a message is the answer', ['CORE-SEND-001', 'SEND-01'], async ({ kit }) => {
  const message = kitMessage('message-response', 'Direct message')
  expect(await kit.result('SendMessage', { message })).toMatchObject({
    message: { role: 'ROLE_AGENT', parts: [{ text: 'Direct message response' }] },
  })
})

const ARTIFACTS = [
  ['artifact-text', { text: 'Generated text content' }],
  ['artifact-file', { raw: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/), filename: 'output.txt', mediaType: 'text/plain' }],
  ['artifact-file-url', { url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' }],
  ['artifact-data', { data: { key: 'value', count: 42 } }],
] as const

scenario('the kit: every kind of artifact', ['DM-PART-001', 'SEND-03', 'BIND-12'], async ({ kit, other }) => {
  for (const [name, part] of ARTIFACTS) {
    const { task } = await kit.result<{ task: WireTask }>('SendMessage', { message: kitMessage(name, 'TCK artifact test') })
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [part] }] })
    expect(await other.result('GetTask', { id: task.id })).toEqual(task)
  }
})

scenario(
  'the kit: tasks that are rejected, and that wait for an authorisation',
  ['CORE-EXECUTION-MODE-001', 'SEND-02', 'SEC-05'],
  async ({ kit }) => {
    for (const [name, state] of [
      ['reject-task', 'TASK_STATE_REJECTED'],
      ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
    ] as const) {
      const { task } = await kit.result<{ task: WireTask }>('SendMessage', { message: kitMessage(name, 'TCK lifecycle test') })
      expect(task.status).toMatchObject({ state, message: { parts: [{ text: expect.stringMatching(/./) }] } })
    }
  },
)
