import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { createTestServer, startTestServer } from './testing/test-server.js'

const HEADERS = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] }

describe('a harness that stops', () => {
  test('takes nothing new, ends what waits, and only then stops its worker', async () => {
    const order: string[] = []
    const server = await startTestServer({
      worker: {
        start: () => {},
        stop: async () => {
          order.push('worker')
        },
        status: () => ({ connected: true }),
      },
    })
    const send = { method: 'POST', headers: HEADERS, body: JSON.stringify({ message }) }
    const blocking = server.fetch('/a2a/message:send', send).then((response) => {
      order.push('answer')
      return response
    })
    await server.woken(1)
    const stopped = server.harness.stop()
    expect((await server.fetch('/a2a/tasks', { headers: HEADERS })).status).toBe(503)
    expect(await (await server.fetch('/readyz')).json()).toEqual({ status: 'unavailable', unavailable: ['stopping'] })
    await stopped
    expect((await blocking).status).toBe(200)
    expect(order).toEqual(['answer', 'worker'])
    await expect(server.harness.start()).rejects.toThrow(/create another/)
  })

  test('refuses a request whose body comes too late', async () => {
    const server = await startTestServer()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const late = server.fetch('/a2a/message:send', { method: 'POST', headers: HEADERS, body: readable, duplex: 'half' } as RequestInit)
    const text = JSON.stringify({ message })
    await writer.write(new TextEncoder().encode(text.slice(0, 5)))
    const stopped = server.harness.stop()
    await writer.write(new TextEncoder().encode(text.slice(5)))
    await writer.close()
    await stopped
    expect((await late).status).toBe(503)
    expect(server.wakes).toEqual([])
  })

  test('still takes requests for the delay, though it says that it wants no more', async () => {
    const server = await startTestServer({ drainDelayMs: 60_000 })
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const stopped = server.harness.stop()
    expect([(await server.fetch('/readyz')).status, (await server.fetch('/healthz')).status]).toEqual([503, 200])
    expect(await (await server.fetch('/readyz')).json()).toEqual({ status: 'unavailable', unavailable: ['draining'] })
    expect((await server.fetch('/a2a/tasks', { headers: HEADERS })).status).toBe(200)
    await vi.advanceTimersByTimeAsync(60_000)
    await stopped
    expect((await server.fetch('/a2a/tasks', { headers: HEADERS })).status).toBe(503)
  })

  test('that drains can be stopped, and not started again', async () => {
    const server = await startTestServer()
    await server.harness.drain()
    expect((await server.fetch('/a2a/tasks', { headers: HEADERS })).status).toBe(200)
    await expect(server.harness.start()).rejects.toThrow(/create another/)
    await server.harness.stop()
    expect((await server.fetch('/a2a/tasks', { headers: HEADERS })).status).toBe(503)
  })

  test('before it was started cannot be started afterwards', async () => {
    const server = await createTestServer()
    await server.harness.stop()
    await expect(server.harness.start()).rejects.toThrow(/create another/)
  })
})

describe.each(BINDINGS)('a stream over $name', (binding) => {
  test('that a stopping harness ends says which entry to go on after', async () => {
    const server = await startTestServer()
    const response = await binding.call(server, 'sendStreamingMessage', { message })
    await server.woken(1)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const first = await reader?.read()
    const id = /^id: (\d+)$/m.exec(first?.value ?? '')?.[1]
    await server.harness.stop()
    expect(await reader?.read()).toEqual({ done: false, value: `: this server stops; go on with Last-Event-ID: ${id}\n\n` })
    expect((await reader?.read())?.done).toBe(true)
  })
})
