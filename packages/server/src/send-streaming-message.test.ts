import type { StreamResponseJson } from '@moorage/protocol'
import { StoreUnavailableError } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { BINDINGS, type Fields } from './testing/bindings.js'
import { answerCommand, chunk, openTurn, playTurn, says } from './testing/play.js'
import { readSse, type SseEvent } from './testing/read-sse.js'
import { overrideStore, startTestServer, type TestServer } from './testing/test-server.js'

const hello = (fields: Fields = {}) => ({ messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }], ...fields })

async function* nothing(): AsyncGenerator<never> {}

async function* failAfter<T>(items: AsyncIterable<T>, count: number, error: Error): AsyncGenerator<T> {
  let left = count
  for await (const item of items) {
    yield item
    left -= 1
    if (left === 0) break
  }
  throw error
}

describe.each(BINDINGS)('SendStreamingMessage over $name', (binding) => {
  const payload = (event: SseEvent | undefined) => binding.payload(event?.data ?? 'null') as unknown as StreamResponseJson
  const stream = (server: TestServer, message: Fields, init?: RequestInit) =>
    binding.call(server, 'sendStreamingMessage', { message }, init)

  /** What each event is: its one field, and the state or the chunk in it. */
  const outline = (events: readonly SseEvent[]) =>
    events.map((event) => {
      const told = payload(event)
      if ('task' in told) return `task ${told.task.status.state}`
      if ('statusUpdate' in told) return `status ${told.statusUpdate.status.state}`
      return 'artifactUpdate' in told ? `chunk ${JSON.stringify(told.artifactUpdate.artifact.parts[0])}` : 'message'
    })

  async function parkedTask(server: TestServer): Promise<string> {
    await binding.call(server, 'sendMessage', { message: hello(), configuration: { returnImmediately: true } })
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'ask', message: says('which?') }, chunk('a', 'one'))
    return taskId
  }

  test('sends the task, then every update, and ends with the terminal one', async () => {
    const server = await startTestServer()
    const response = await stream(server, hello())
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    expect(response.headers.get('Cache-Control')).toBe('no-cache')
    expect(response.headers.get('X-Accel-Buffering')).toBe('no')
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'complete', message: says('done') }, chunk('a', 'one'), chunk('a', 'two'))
    const events = await readSse(response).rest()
    expect(outline(events)).toEqual([
      'task TASK_STATE_SUBMITTED',
      'status TASK_STATE_WORKING',
      'chunk {"text":"one"}',
      'chunk {"text":"two"}',
      'status TASK_STATE_COMPLETED',
    ])
    const ids = events.map(({ id }) => Number(id))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(new Set(ids).size).toBe(ids.length)
    for (const event of events) expect(Object.keys(payload(event))).toHaveLength(1)
  })

  test('keeps the order for a reader who is slower than the agent', async () => {
    const server = await startTestServer()
    const reader = readSse(await stream(server, hello()))
    const { taskId } = await server.woken(1)
    const turn = await openTurn(server.store, taskId)
    for (let i = 0; i < 20; i++) await turn.write(...Array.from({ length: 10 }, (_, j) => chunk('a', String(i * 10 + j))))
    await turn.end({ kind: 'complete' })
    const events = await reader.rest()
    expect(outline(events).slice(2, -1)).toEqual(Array.from({ length: 200 }, (_, i) => `chunk {"text":"${i}"}`))
  })

  test('begins a further message with the task as it is, and ends at the question that follows', async () => {
    const server = await startTestServer()
    const taskId = await parkedTask(server)
    const reader = readSse(await stream(server, hello({ messageId: 'm-2', taskId })))
    const first = payload(await reader.next())
    expect(first).toMatchObject({
      task: { id: taskId, status: { state: 'TASK_STATE_WORKING' }, artifacts: [{ parts: [{ text: 'one' }] }] },
    })
    await playTurn(server.store, taskId, { kind: 'ask', message: says('and which?') }, chunk('a', 'two'))
    expect(outline(await reader.rest())).toEqual(['chunk {"text":"two"}', 'status TASK_STATE_INPUT_REQUIRED'])
  })

  test('a first message sent again gets the task as it is and what follows, not the end that is past', async () => {
    const server = await startTestServer()
    const taskId = await parkedTask(server)
    await binding.call(server, 'sendMessage', { message: hello({ messageId: 'm-2', taskId }), configuration: { returnImmediately: true } })
    const reader = readSse(await stream(server, hello()))
    expect(payload(await reader.next())).toMatchObject({
      task: { id: taskId, status: { state: 'TASK_STATE_WORKING' }, artifacts: [{ parts: [{ text: 'one' }] }] },
    })
    await playTurn(server.store, taskId, { kind: 'complete' }, chunk('a', 'two'))
    expect(outline(await reader.rest())).toEqual(['chunk {"text":"two"}', 'status TASK_STATE_COMPLETED'])
    expect(outline(await readSse(await stream(server, hello())).rest())).toEqual(['task TASK_STATE_COMPLETED'])
  })

  test('a first message sent again while its question is open gets the task with it, and nothing more', async () => {
    const server = await startTestServer()
    await parkedTask(server)
    expect(outline(await readSse(await stream(server, hello())).rest())).toEqual(['task TASK_STATE_INPUT_REQUIRED'])
  })

  test('a further message sent again, when its end is past, gets the task and nothing more', async () => {
    const server = await startTestServer()
    const taskId = await parkedTask(server)
    const message = hello({ messageId: 'm-2', taskId })
    await binding.call(server, 'sendMessage', { message, configuration: { returnImmediately: true } })
    await playTurn(server.store, taskId, { kind: 'complete' })
    expect(outline(await readSse(await stream(server, message)).rest())).toEqual(['task TASK_STATE_COMPLETED'])
  })

  test("a command's stream ends with its reply, in whatever state", async () => {
    const server = await startTestServer()
    const taskId = await parkedTask(server)
    const reader = readSse(await stream(server, hello({ messageId: 'm-2', taskId, parts: [{ text: '/status' }] })))
    expect(outline([await reader.next()].flatMap((event) => event ?? []))).toEqual(['task TASK_STATE_INPUT_REQUIRED'])
    await answerCommand(server.store, taskId, 'fine')
    const events = await reader.rest()
    expect(outline(events)).toEqual(['status TASK_STATE_INPUT_REQUIRED'])
    expect(payload(events[0])).toMatchObject({ statusUpdate: { status: { message: { parts: [{ text: 'fine' }] } } } })
  })

  test('a client that goes away ends its own stream, and neither the task nor the streams of others', async () => {
    const server = await startTestServer()
    const leaving = new AbortController()
    const leaver = readSse(await stream(server, hello(), { signal: leaving.signal }))
    const { taskId } = await server.woken(1)
    const stayer = readSse(await stream(server, hello()))
    await leaver.next()
    leaving.abort()
    expect(await leaver.next()).toBeUndefined()
    await playTurn(server.store, taskId, { kind: 'complete' })
    expect(outline(await stayer.rest()).at(-1)).toBe('status TASK_STATE_COMPLETED')
  })

  test('the end of the server ends the stream', async () => {
    const server = await startTestServer()
    const reader = readSse(await stream(server, hello()))
    await reader.next()
    await server.harness.stop()
    expect(await reader.next()).toBeUndefined()
  })

  test('an idle stream gets comments', async () => {
    const server = await startTestServer({ keepAliveMs: 5 })
    const reader = readSse(await stream(server, hello()))
    const { taskId } = await server.woken(1)
    await reader.next()
    const waiting = reader.rest()
    await expect.poll(() => reader.comments.length).toBeGreaterThan(1)
    await playTurn(server.store, taskId, { kind: 'complete' })
    await waiting
  })

  test('an error before the beginning is an answer of its own, not a stream', async () => {
    const server = await startTestServer({
      wrapStore: (store) => overrideStore(store, { follow: () => failAfter(nothing(), 0, new StoreUnavailableError('locked')) }),
    })
    const response = await stream(server, hello())
    expect(response.status).toBe(503)
    expect(response.headers.get('Content-Type')).toMatch(/json/)
    expect(response.headers.get('Retry-After')).toBe('5')
  })

  test('an error after the beginning is an event in the form of the binding, without its cause', async () => {
    const server = await startTestServer({
      wrapStore: (store) =>
        overrideStore(store, {
          follow: (id, after, signal) => failAfter(store.follow(id, after, signal), 1, new Error('postgres://user:secret@host')),
        }),
    })
    const reader = readSse(await stream(server, hello()))
    const events = await reader.rest()
    expect(events).toHaveLength(2)
    expect(events[1]?.event).toBe('error')
    expect(reader.comments.join()).toContain('go on with Last-Event-ID: 1')
    const error = { message: 'Internal error' }
    expect(JSON.parse(events[1]?.data ?? '')).toMatchObject(
      binding.name === 'JSON-RPC' ? { jsonrpc: '2.0', id: 7, error: { code: -32603, ...error } } : { error: { code: 500, ...error } },
    )
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(server.logged).toMatchObject([{ err: { message: 'postgres://user:secret@host' } }])
  })
})
