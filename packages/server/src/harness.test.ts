import { StoreUnavailableError } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { createHarness } from './harness.js'
import { BINDINGS } from './testing/bindings.js'
import { countFollowers } from './testing/count-followers.js'
import { playTurn } from './testing/play.js'
import { readSse } from './testing/read-sse.js'
import { testAgent, testCard } from './testing/test-agent.js'
import { createTestServer, overrideStore, startTestServer } from './testing/test-server.js'

const HEADERS = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] }

const at = (path: string, protocolBinding: string) => ({ url: `http://agent.test${path}`, protocolBinding, protocolVersion: '1.0' })

describe('a harness that is not started', () => {
  test.each([
    ['POST', '/a2a'],
    ['GET', '/a2a/tasks'],
    ['GET', '/.well-known/agent-card.json'],
    ['GET', '/nope'],
  ])('answers %s %s with 503 in JSON, and says when to come again', async (method, path) => {
    const server = await createTestServer()
    const response = await server.fetch(path, { method, headers: HEADERS })
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5'])
    expect(await response.json()).toMatchObject({
      error: path === '/a2a' ? { code: -32603 } : { code: 503, status: 'UNAVAILABLE' },
    })
    expect(server.logged).toEqual([])
  })

  test('is alive, and not ready', async () => {
    const server = await createTestServer()
    expect((await server.fetch('/healthz')).status).toBe(200)
    const ready = await server.fetch('/readyz')
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', unavailable: ['not started'] }])
  })

  test('says which option is wrong when it is made', async () => {
    const { store } = await createTestServer()
    const options = { card: testCard(), store, waker: { wake: () => {} }, logger: { error: () => {} } }
    const make = (changes: object) => () => createHarness(testAgent(), { ...options, ...changes })
    expect(make({ card: testCard({ supportedInterfaces: [] }) })).toThrow(/^createHarness: card\.supportedInterfaces/)
    expect(make({ basePath: '/agents' })).toThrow(/^createHarness: basePath/)
    expect(make({ blockingTimeoutMs: -1 })).toThrow(/blockingTimeoutMs/)
    expect(make({ blockingTimeoutMs: 2 ** 31 })).toThrow(/blockingTimeoutMs/)
    expect(make({ keepAliveMs: 0 })).toThrow(/keepAliveMs/)
    expect(make({ unknownExtensions: 'accept' })).toThrow("createHarness: unknownExtensions must be 'refuse' or 'ignore'")
    expect(make({ limits: { maxRequestBytes: 0 } })).toThrow(/maxRequestBytes/)
  })
})

describe('a harness that is started', () => {
  test('is ready, and names once what does not work', async () => {
    const worker = { connected: true }
    const degraded: string[] = []
    const server = await startTestServer({
      worker: { start: () => {}, stop: async () => {}, status: () => worker },
      degraded: () => degraded,
    })
    const ready = async () => {
      const response = await server.fetch('/readyz')
      return [response.status, await response.json()]
    }
    expect(await ready()).toEqual([200, { status: 'ok' }])
    worker.connected = false
    expect(await ready()).toEqual([200, { status: 'degraded', degraded: ['temporal'] }])
    degraded.push('temporal', 'push')
    expect(await ready()).toEqual([200, { status: 'degraded', degraded: ['temporal', 'push'] }])
  })

  test('is not ready without its store', async () => {
    const server = await startTestServer({
      wrapStore: (store) => overrideStore(store, { check: () => Promise.reject(new StoreUnavailableError('/data/secret')) }),
    })
    const ready = await server.fetch('/readyz')
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', unavailable: ['store'] }])
    expect((await server.fetch('/healthz')).status).toBe(200)
  })

  test('serves its card with an entity tag, and 304 to who has it', async () => {
    const server = await startTestServer()
    const card = await server.fetch('/.well-known/agent-card.json')
    expect(card.headers.get('Content-Type')).toBe('application/json')
    expect(await card.json()).toMatchObject({ name: 'Tester', skills: [{ id: 'tester' }] })
    const again = { headers: { 'If-None-Match': card.headers.get('ETag') ?? '' } }
    expect((await server.fetch('/.well-known/agent-card.json', again)).status).toBe(304)
    expect((await server.fetch('/.well-known/agent-card.json', { method: 'HEAD' })).status).toBe(200)
    const posted = await server.fetch('/.well-known/agent-card.json', { method: 'POST' })
    expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('serves a binding where the card declares it, and nowhere else', async () => {
    const supportedInterfaces = [at('/rpc', 'JSONRPC'), at('/http/v1', 'HTTP+JSON')]
    const server = await startTestServer({ card: testCard({ supportedInterfaces }) })
    const statusOf = async (path: string, method = 'GET') => (await server.fetch(path, { method, headers: HEADERS })).status
    expect(await statusOf('/http/v1/tasks')).toBe(200)
    expect(await statusOf('/rpc', 'POST')).toBe(200)
    expect([await statusOf('/rpc/tasks'), await statusOf('/http/v1', 'POST'), await statusOf('/a2a', 'POST')]).toEqual([404, 404, 404])
  })

  test('serves bindings at the root', async () => {
    const supportedInterfaces = [at('', 'JSONRPC'), at('/', 'HTTP+JSON')]
    const server = await startTestServer({ card: testCard({ supportedInterfaces }) })
    const statusOf = async (path: string, method = 'GET') => (await server.fetch(path, { method, headers: HEADERS })).status
    expect([await statusOf('/tasks'), await statusOf('/', 'POST'), await statusOf('/healthz')]).toEqual([200, 200, 200])
    expect([await statusOf('/'), await statusOf('/.well-known/agent-card.json'), await statusOf('/nope')]).toEqual([405, 200, 404])
  })

  test('serves without the prefix that its host strips', async () => {
    const supportedInterfaces = [at('/agents/a2a', 'JSONRPC'), at('/agents/a2a', 'HTTP+JSON')]
    const server = await startTestServer({ card: testCard({ supportedInterfaces }), basePath: '/agents' })
    expect((await server.fetch('/a2a/tasks', { headers: HEADERS })).status).toBe(200)
  })

  test('refuses what is too large in the form of the path', async () => {
    const server = await startTestServer({ limits: { maxRequestBytes: 10, ratePerMinute: 0 } })
    const post = (path: string) =>
      server.fetch(path, { method: 'POST', body: '{"a":"0123456789"}', headers: { ...HEADERS, 'Content-Length': '18' } })
    const rpc = await post('/a2a')
    expect([rpc.status, await rpc.json()]).toMatchObject([413, { jsonrpc: '2.0', id: null, error: { code: -32600 } }])
    const http = await post('/a2a/message:send')
    expect([http.status, await http.json()]).toMatchObject([413, { error: { code: 413, status: 'INVALID_ARGUMENT' } }])
    const unmeasured = new Blob(['{"a":"0123456789"}']).stream()
    const init = { method: 'POST', body: unmeasured, headers: HEADERS, duplex: 'half' } as RequestInit
    expect((await server.fetch('/a2a', init)).status).toBe(413)
  })

  test('refuses a peer that is too fast, and says when to come again', async () => {
    const server = await startTestServer({ limits: { ratePerMinute: 1, peer: (c) => c.req.header('X-Peer') ?? '' } })
    const get = (peer: string) => server.fetch('/a2a/tasks', { headers: { ...HEADERS, 'X-Peer': peer } })
    expect((await get('a')).status).toBe(200)
    const refused = await get('a')
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Too many requests: send at most 1 a minute' } },
    ])
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await get('b')).status).toBe(200)
  })

  test('takes the address of the connection for the peer', async () => {
    const { harness } = await startTestServer({ limits: { ratePerMinute: 1 } })
    const get = async (remoteAddress: string) =>
      (await harness.fetch(new Request('http://agent.test/.well-known/agent-card.json'), { incoming: { socket: { remoteAddress } } }))
        .status
    expect([await get('10.0.0.1'), await get('10.0.0.1'), await get('10.0.0.2')]).toEqual([200, 429, 200])
  })

  test('answers a probe whatever its address has asked for', async () => {
    const server = await startTestServer({ limits: { ratePerMinute: 1 } })
    const statuses = ['/healthz', '/readyz', '/healthz', '/readyz'].map(async (path) => (await server.fetch(path)).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200])
  })
})

describe.each(BINDINGS)('a request over $name leaves nobody who follows the log', (binding) => {
  test('when its client goes away: a blocking send, a stream, a subscription', async () => {
    const followers = countFollowers()
    const server = await startTestServer({ wrapStore: followers.wrapStore })
    const leaving = new AbortController()
    const { signal } = leaving
    const blocking = binding.call(server, 'sendMessage', { message }, { signal })
    const { taskId } = await server.woken(1)
    const stream = readSse(await binding.call(server, 'sendStreamingMessage', { message }, { signal }))
    const subscription = readSse(await binding.call(server, 'subscribeToTask', { id: taskId }, { signal }))
    await stream.next()
    await subscription.next()
    leaving.abort()
    await Promise.allSettled([blocking, stream.rest(), subscription.rest()])
    await expect.poll(followers.open).toBe(0)
  })

  test('when the stream is canceled while it waits', async () => {
    const followers = countFollowers()
    const server = await startTestServer({ wrapStore: followers.wrapStore })
    const reader = readSse(await binding.call(server, 'sendStreamingMessage', { message }))
    await reader.next()
    await reader.cancel()
    await expect.poll(followers.open).toBe(0)
  })

  test('when the task ends', async () => {
    const followers = countFollowers()
    const server = await startTestServer({ wrapStore: followers.wrapStore })
    const reader = readSse(await binding.call(server, 'sendStreamingMessage', { message }))
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'complete' })
    await reader.rest()
    await expect.poll(followers.open).toBe(0)
  })
})
