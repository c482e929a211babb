import type { StreamResponseJson, TaskJson } from '@moorage/protocol'
import { describe, expect, test } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { playTurn, says } from './testing/play.js'
import { readSse } from './testing/read-sse.js'
import { startTestServer, type TestServer } from './testing/test-server.js'
import { hello, newTask } from './testing/test-tasks.js'

const asks = { kind: 'require-auth', message: { ...says('Let me in'), metadata: { authScheme: 'door' } } } as const

describe.each(BINDINGS)('a task that waits for an authorisation, over $name', (binding) => {
  const state = (data: string | undefined) => {
    const told = binding.payload(data ?? 'null') as unknown as StreamResponseJson
    if ('task' in told) return told.task.status.state
    return 'statusUpdate' in told ? told.statusUpdate.status.state : 'something else'
  }
  const states = (events: readonly { readonly data: string }[]) => events.map(({ data }) => state(data))

  async function send(server: TestServer, fields = {}): Promise<TaskJson> {
    const result = await binding.result(await binding.call(server, 'sendMessage', { message: hello(fields) }))
    return result['task'] as TaskJson
  }

  test('ends a blocking send, and goes on with the next message', async () => {
    const server = await startTestServer()
    const first = send(server)
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, asks)
    expect((await first).status).toMatchObject({
      state: 'TASK_STATE_AUTH_REQUIRED',
      message: { parts: [{ text: 'Let me in' }], metadata: { authScheme: 'door' } },
    })
    const second = send(server, { messageId: 'm-2', taskId })
    await server.woken(2)
    await playTurn(server.store, taskId, { kind: 'complete', message: says('in') })
    expect(await second).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_COMPLETED' } })
  })

  test('keeps the stream of its send and a subscription open until it ends', async () => {
    const server = await startTestServer()
    const sent = readSse(await binding.call(server, 'sendStreamingMessage', { message: hello() }))
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, asks)
    const subscribed = readSse(await binding.call(server, 'subscribeToTask', { id: taskId }))
    expect(state((await subscribed.next())?.data)).toBe('TASK_STATE_AUTH_REQUIRED')
    const granted = send(server, { messageId: 'm-2', taskId })
    await server.woken(2)
    await playTurn(server.store, taskId, { kind: 'complete' })
    await granted
    const rest = ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']
    expect(states(await subscribed.rest())).toEqual(rest)
    expect(states(await sent.rest())).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_AUTH_REQUIRED', ...rest])
  })

  test('can be canceled', async () => {
    const server = await startTestServer()
    const id = await newTask(server)
    await playTurn(server.store, id, asks)
    expect(await binding.result(await binding.call(server, 'cancelTask', { id }))).toMatchObject({
      status: { state: 'TASK_STATE_CANCELED' },
    })
  })
})
