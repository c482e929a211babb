import { expect } from 'vitest'
import { atOnce, fresh, says, scripted, taskIn, textOf, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { untilState } from '../until-state.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'
import type { WireEvent } from '../wire/wire-client.js'

const MEMBERS = ['task', 'message', 'statusUpdate', 'artifactUpdate']
const kinds = (events: readonly WireEvent[]) => events.map(({ payload }) => Object.keys(payload).join())

scenario(
  'where streaming is not declared, streams are refused by an ordinary answer',
  ['STREAM-01', 'SUB-06', 'STREAM-11'],
  { profile: 'bare' },
  async ({ client, binding }) => {
    expectError(await client.refusal('SendStreamingMessage', says('hello')), binding, 'UNSUPPORTED_OPERATION')
    expectError(await client.refusal('SubscribeToTask', { id: 'there-is-none' }), binding, 'UNSUPPORTED_OPERATION')
  },
)

scenario(
  'a stream begins with its task, ends with its end, and has one member an event',
  ['STREAM-03', 'STREAM-04', 'STREAM-05', 'STREAM-12', 'STREAM-14'],
  async ({ client, other }) => {
    const script = [{ status: 'at work' }, { chunk: 'one ', artifact: 'a' }, { chunk: 'two', artifact: 'a' }, { complete: 'done' }]
    const stream = await client.stream('SendStreamingMessage', scripted(script))
    const events = await stream.rest()
    expect(kinds(events)[0]).toBe('task')
    for (const { payload } of events) {
      expect(MEMBERS).toContain(Object.keys(payload).join())
      expect(Object.keys(Object.values(payload)[0] as Fields)).not.toContain('kind')
      expect(Object.keys(Object.values(payload)[0] as Fields)).not.toContain('final')
    }
    expect(kinds(events).filter((kind) => kind === 'task')).toHaveLength(1)
    expect(events.at(-1)?.payload).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } })
    const task = await other.result<WireTask>('GetTask', { id: taskIn(events[0]).id })
    expect(textOf(task.artifacts?.[0]?.parts)).toBe('one two')
  },
)

scenario(
  'an agent that has gone on after a cancel adds nothing to the stream',
  ['STREAM-04', 'CANCEL-04'],
  async ({ client, other, open }) => {
    const gate = fresh('deaf')
    const stream = await client.stream(
      'SendStreamingMessage',
      scripted([{ ignoreAbort: true }, { chunk: 'a', artifact: 'a' }, { await: gate }, { complete: 'late' }]),
    )
    const task = taskIn(await stream.next())
    await untilState(other, task.id, 'TASK_STATE_WORKING')
    await other.result('CancelTask', { id: task.id })
    await open(gate)
    expect((await stream.rest()).at(-1)?.payload).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } })
    expect(await other.result('GetTask', { id: task.id })).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } })
  },
)

scenario('two hundred chunks come in their order', ['STREAM-07', 'STREAM-14'], async ({ client, other }) => {
  const stream = await client.stream(
    'SendStreamingMessage',
    scripted([{ chunks: 200, everyMs: 0, artifact: 'numbers' }, { complete: 'done' }]),
  )
  const events = await stream.rest()
  const expected = Array.from({ length: 200 }, (_, index) => `${index + 1} `).join('')
  expect(events.map(({ payload }) => chunkOf(payload)).join('')).toBe(expected)
  expect(events.filter(({ payload }) => 'artifactUpdate' in payload).at(-1)?.payload).toMatchObject({ artifactUpdate: { lastChunk: true } })
  const task = await other.result<WireTask>('GetTask', { id: taskIn(events[0]).id })
  expect(textOf(task.artifacts?.[0]?.parts)).toBe(expected)
})

function chunkOf(payload: Fields): string {
  const update = payload['artifactUpdate'] as { readonly artifact: { readonly parts: readonly Fields[] } } | undefined
  return textOf(update?.artifact.parts)
}

scenario('all readers see the same; one that goes, or all, end nothing', ['STREAM-08', 'BIND-07'], async ({ client, other, open }) => {
  const [first, second] = [fresh('first'), fresh('second')]
  const script = [{ await: first }, { chunks: 20, everyMs: 0, artifact: 'numbers' }, { await: second }, { complete: 'done' }]
  const { task } = await client.result<{ task: WireTask }>('SendMessage', atOnce(scripted(script)))
  await untilState(client, task.id, 'TASK_STATE_WORKING')
  const readers = await Promise.all([client, other, client].map((each) => each.stream('SubscribeToTask', { id: task.id })))
  for (const reader of readers) expect((await reader.next())?.payload).toHaveProperty('task')
  await open(first)
  await readers[2]?.next()
  await readers[2]?.close()
  await open(second)
  const [one, two] = await Promise.all(readers.slice(0, 2).map((reader) => reader.rest()))
  expect(two?.map(({ payload }) => payload)).toEqual(one?.map(({ payload }) => payload))
  expect(one?.at(-1)?.payload).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } })
})

scenario('a task whose every reader has gone comes to its end', ['STREAM-08'], async ({ client, other, open }) => {
  const gate = fresh('alone')
  const stream = await client.stream('SendStreamingMessage', scripted([{ await: gate }, { complete: 'done' }]))
  const task = taskIn(await stream.next())
  await stream.close()
  await open(gate)
  await untilState(other, task.id, 'TASK_STATE_COMPLETED')
})

scenario('nothing on the way keeps a stream back', ['STREAM-13'], async ({ client }) => {
  const stream = await client.stream('SendStreamingMessage', says('hello'))
  await stream.rest()
  expect(stream.headers.get('Cache-Control')).toContain('no-cache')
  expect(stream.headers.get('X-Accel-Buffering')).toBe('no')
})

scenario('a stream stays open while an authorisation is awaited, and ends at a question', ['SEC-05'], async ({ client, other }) => {
  const stream = await client.stream('SendStreamingMessage', scripted([{ auth: 'Please sign in' }]))
  const task = taskIn(await stream.next())
  await untilState(other, task.id, 'TASK_STATE_AUTH_REQUIRED')
  await other.result('SendMessage', scripted([{ complete: 'thanks' }], { taskId: task.id }))
  expect((await stream.rest()).at(-1)?.payload).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } })
  const asking = await client.stream('SendStreamingMessage', scripted([{ ask: 'more?' }]))
  expect((await asking.rest()).at(-1)?.payload).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } })
})
