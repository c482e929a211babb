import { expect } from 'vitest'
import { fresh, says, scripted, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'

const ENUM = /^(TASK_STATE|ROLE)_[A-Z_]+$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

scenario('names are camelCase, enums names, times UTC, in answers, lists and streams', ['BIND-09'], async ({ client }) => {
  const script = [{ status: 'at work' }, { chunk: 'a', artifact: 'a' }, { complete: 'done' }]
  const contextId = fresh('form')
  const stream = await client.stream('SendStreamingMessage', scripted(script, { contextId }))
  for (const { payload } of await stream.rest()) checkForm(payload)
  checkForm(await client.result('SendMessage', scripted(script, { contextId })))
  checkForm(await client.result('ListTasks', { contextId, includeArtifacts: true }))
})

/** Looks at every field, but not into what the user sent. */
function checkForm(value: unknown, key = ''): void {
  if (Array.isArray(value)) for (const item of value) checkForm(item, key)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/)
      if (name !== 'data' && name !== 'metadata') checkForm(inner, name)
    }
  } else if (key === 'state' || key === 'role') expect(value).toMatch(ENUM)
  else if (key === 'timestamp') expect(value).toMatch(TIME)
}

scenario('times of any form are read, and names in snake_case', ['BIND-10'], async ({ client, other }) => {
  const contextId = fresh('times')
  const { task } = await other.result<{ task: WireTask }>('SendMessage', says('hello', { contextId }))
  const at = Date.parse(task.status.timestamp)
  const shifted = new Date(at + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
  for (const after of [task.status.timestamp, shifted, `${new Date(at).toISOString().slice(0, 19)}Z`, '2020-01-01T00:00:00.123456789Z']) {
    expect(await client.result('ListTasks', { context_id: contextId, status_timestamp_after: after })).toMatchObject({ totalSize: 1 })
  }
  const { message } = says('hello') as { message: Fields }
  const snake = { message: { message_id: message['messageId'], role: message['role'], parts: message['parts'], context_id: contextId } }
  expect(await client.result('SendMessage', { ...snake, configuration: { return_immediately: true } })).toMatchObject({
    task: { contextId },
  })
})

scenario('unknown fields count for nothing, at every level', ['BIND-11'], async ({ client, other }) => {
  const { message } = says('hello') as { message: Fields }
  const odd = { 'x-foo': 1 }
  const request = {
    ...odd,
    message: { ...odd, ...message, parts: [{ ...odd, text: 'hello' }] },
    configuration: { ...odd, historyLength: 5 },
  }
  const { task } = await client.result<{ task: WireTask }>('SendMessage', request)
  expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  expect(JSON.stringify(await other.result('GetTask', { id: task.id, ...odd }))).not.toContain('x-foo')
  await client.result('ListTasks', { contextId: task.contextId, ...odd })
})

scenario('a part has one content, which comes back as it was', ['BIND-12'], async ({ client, other, binding }) => {
  for (const parts of [
    [{ text: 'a', data: 1 }],
    [{}],
    [{ mediaType: 'text/plain' }],
    [{ text: 'a' }, { url: 'https://a.test', raw: '' }],
  ]) {
    expectError(await client.refusal('SendMessage', says('', { parts })), binding, 'INVALID_PARAMS')
  }
  const data = [null, [1, 'two', { three: null }], 'text', 0, false, { deep: [{}] }]
  for (const value of data) {
    const { task } = await client.result<{ task: WireTask }>('SendMessage', says('', { parts: [{ text: 'hello' }, { data: value }] }))
    const read = await other.result<WireTask>('GetTask', { id: task.id })
    expect(read.history?.[0]?.parts).toEqual([{ text: 'hello' }, { data: value }])
  }
})

scenario('bytes come in either base64, and go out in the standard one', ['BIND-12'], async ({ client, other }) => {
  for (const raw of ['+/+/+g==', '-_-_-g==', '-_-_-g']) {
    const parts = [{ text: 'hello' }, { raw, mediaType: 'text/plain', filename: 'a.txt' }]
    const { task } = await client.result<{ task: WireTask }>('SendMessage', says('', { parts }))
    const read = await other.result<WireTask>('GetTask', { id: task.id })
    expect(read.history?.[0]?.parts[1]).toEqual({ raw: '+/+/+g==', mediaType: 'text/plain', filename: 'a.txt' })
  }
})

scenario('numbers may come as texts, and enums as numbers', ['BIND-13'], async ({ client }) => {
  const contextId = fresh('numbers')
  const request = { ...says('hello', { contextId, role: 1 }), configuration: { historyLength: '0' } }
  const { task } = await client.result<{ task: WireTask }>('SendMessage', request)
  expect(task).not.toHaveProperty('history')
  expect(await client.result('ListTasks', { contextId, status: 3, pageSize: '7' })).toMatchObject({ totalSize: 1, pageSize: 7 })
})
