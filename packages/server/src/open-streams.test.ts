import { ERROR_TABLE } from '@moorage/protocol'
import { describe, expect, test } from 'vitest'
import { BINDINGS, type Fields } from './testing/bindings.js'
import { readSse } from './testing/read-sse.js'
import { startTestServer, type TestServerOptions } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

describe.each(BINDINGS)('open streams over $name', (binding) => {
  async function start(limits: TestServerOptions['limits']) {
    const server = await startTestServer({ limits: { ratePerMinute: 0, peer: (c) => c.req.header('X-Peer') ?? 'someone', ...limits } })
    const stream = (messageId: string, peer: string, init: RequestInit = {}) =>
      binding.call(server, 'sendStreamingMessage', { message: hello({ messageId }) }, { ...init, headers: { 'X-Peer': peer } })
    const subscribe = (id: string, peer: string, fields: Fields = {}) =>
      binding.call(server, 'subscribeToTask', { id, ...fields }, { headers: { 'X-Peer': peer } })
    return { ...server, stream, subscribe }
  }

  test('that one peer has too many of are refused before anything is accepted', async () => {
    const { stream, subscribe, wakes } = await start({ streamsPerPeer: 2 })
    const first = readSse(await stream('m-1', 'ann'))
    await first.next()
    const taskId = wakes[0]?.taskId ?? ''
    await subscribe(taskId, 'ann')
    for (const refused of [await stream('m-2', 'ann'), await subscribe(taskId, 'ann')]) {
      expect(refused.headers.get('Retry-After')).toBe('5')
      const error = await binding.error(refused)
      expect(error).toMatchObject({ ...binding.expected(ERROR_TABLE.TooFast), message: 'Too many open streams: have at most 2' })
      expect(error.contentType).toMatch(/json/)
    }
    expect(wakes).toHaveLength(1)
    expect((await stream('m-2', 'bob')).headers.get('Content-Type')).toBe('text/event-stream')
  })

  test('that there are too many of in all are refused to everybody', async () => {
    const { stream, wakes } = await start({ streams: 2 })
    await stream('m-1', 'ann')
    await stream('m-2', 'bob')
    const refused = await stream('m-3', 'cid')
    expect(refused.headers.get('Retry-After')).toBe('5')
    expect(await binding.error(refused)).toMatchObject({
      ...binding.expected(ERROR_TABLE.Unavailable),
      message: 'Service unavailable: too many open streams',
    })
    expect(wakes).toHaveLength(2)
  })

  test('that have ended make room, however they ended', async () => {
    const { stream, subscribe, wakes, store } = await start({ streamsPerPeer: 1, streams: 1 })
    const canceled = readSse(await stream('m-1', 'ann'))
    await canceled.next()
    await canceled.cancel()
    const taskId = wakes[0]?.taskId ?? ''
    const leaving = new AbortController()
    expect((await stream('m-2', 'ann', { signal: leaving.signal })).status).toBe(200)
    leaving.abort()
    expect(await binding.error(await subscribe('nobody', 'ann'))).toMatchObject({ details: [{ reason: 'TASK_NOT_FOUND' }] })
    const ending = readSse(await subscribe(taskId, 'ann'))
    await ending.next()
    await store.transact([taskId], (tx) => tx.end(taskId, 'TASK_STATE_CANCELED'))
    await ending.rest()
    expect((await stream('m-3', 'ann')).headers.get('Content-Type')).toBe('text/event-stream')
  })
})
