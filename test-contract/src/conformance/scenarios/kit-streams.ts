import { expect } from 'vitest'
import { kitId, kitMessage } from '../kit/kit-messages.js'
import { taskIn } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'
import type { WireEvent } from '../wire/wire-client.js'
import { kitTask } from './kit-core.js'

const COMPLETED = { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } }
const kindsOf = (events: readonly WireEvent[]) => events.flatMap(({ payload }) => Object.keys(payload))

scenario(
  'the kit: streams begin with a task, and end with it',
  ['CORE-STREAM-002', 'CORE-STREAM-003', 'STREAM-02', 'STREAM-03', 'STREAM-04'],
  async ({ kit }) => {
    for (const [name, text] of [
      ['stream-002', 'Stream message-only response'],
      ['stream-003', 'Stream task lifecycle'],
    ] as const) {
      const events = await (await kit.stream('SendStreamingMessage', { message: kitMessage(name, text) })).rest()
      expect(kindsOf(events)[0]).toBe('task')
      expect(kindsOf(events)).not.toContain('message')
      expect(events.at(-1)?.payload).toMatchObject(COMPLETED)
    }
  },
)

scenario('the kit: a stream is in order', ['STREAM-ORDER-001', 'STREAM-07'], async ({ kit }) => {
  const message = kitMessage('stream-ordering-001', 'TCK stream ordering test')
  const events = await (await kit.stream('SendStreamingMessage', { message })).rest()
  const states = events.flatMap(({ payload }) => {
    const of = (payload['statusUpdate'] ?? payload['task']) as { status?: { state: string } } | undefined
    return of?.status ? [of.status.state] : []
  })
  expect(states.filter((state, index) => state !== states[index - 1])).toEqual([
    'TASK_STATE_SUBMITTED',
    'TASK_STATE_WORKING',
    'TASK_STATE_COMPLETED',
  ])
  expect(kindsOf(events)).toContain('artifactUpdate')
})

scenario('the kit: the form of events', ['JSONRPC-SSE-001', 'STREAM-05', 'STREAM-09'], { on: ['JSONRPC'] }, async ({ kit }) => {
  const stream = await kit.stream('SendStreamingMessage', { message: kitMessage('sse-streaming-001', 'TCK streaming test') })
  const events = await stream.rest()
  expect(events.length).toBeGreaterThan(1)
  for (const { data } of events) {
    expect(data).toMatchObject({ jsonrpc: '2.0', id: 1 })
    expect(Object.keys(data['result'] as Fields)).toHaveLength(1)
  }
})

scenario('the kit: the form of events', ['HTTP_JSON-SSE-001', 'STREAM-05', 'STREAM-10'], { on: ['HTTP+JSON'] }, async ({ kit }) => {
  const stream = await kit.stream('SendStreamingMessage', { message: kitMessage('transport-test-001', 'Hello from TCK transport test') })
  const events = await stream.rest()
  expect(events.length).toBeGreaterThan(1)
  for (const { data } of events) expect(Object.keys(data)).toHaveLength(1)
})

scenario(
  'the kit: a subscription begins with its task, and ends with it',
  ['STREAM-SUB-001', 'STREAM-SUB-002', 'SUB-01', 'SUB-04', 'SUB-05'],
  async ({ kit }) => {
    const { id } = await kitTask(kit, 'input-required')
    const stream = await kit.stream('SubscribeToTask', { id })
    expect((await stream.next())?.payload).toMatchObject({ task: { id } })
    await kit.result('SendMessage', { message: kitMessage('complete-task', 'Complete', { taskId: id }) })
    expect((await stream.rest()).at(-1)?.payload).toMatchObject(COMPLETED)
  },
)

scenario('the kit: nothing to subscribe to', ['STREAM-SUB-003', 'STREAM-SUB-004', 'SUB-02', 'SUB-03'], async ({ kit, binding }) => {
  const { id } = await kitTask(kit, 'complete-task')
  expectError(await kit.refusal('SubscribeToTask', { id }), binding, 'UNSUPPORTED_OPERATION')
  expectError(await kit.refusal('SubscribeToTask', { id: kitId('nonexistent-sub-004') }), binding, 'TASK_NOT_FOUND')
})

scenario('the kit: several subscriptions', ['STREAM-ORDER-002', 'STREAM-ORDER-003', 'STREAM-ORDER-004', 'STREAM-08'], async ({ kit }) => {
  for (const stopFirstEarly of [false, true]) {
    const { id } = await kitTask(kit, 'input-required')
    const streams = [await kit.stream('SubscribeToTask', { id }), await kit.stream('SubscribeToTask', { id })]
    const firsts = await Promise.all(streams.map((stream) => stream.next()))
    for (const first of firsts) expect(taskIn(first).id).toBe(id)
    if (stopFirstEarly) await streams[0]?.close()
    await kit.result('SendMessage', { message: kitMessage('complete-task', 'Complete', { taskId: id }) })
    const [one = [], two = []] = await Promise.all(streams.map((stream) => stream.rest()))
    expect(two.length).toBeGreaterThanOrEqual(1)
    expect(one.map(({ payload }) => payload)).toEqual(stopFirstEarly ? [] : two.map(({ payload }) => payload))
  }
})
