import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LimitsOptions, limits } from './limits.js'
import type { Refuse } from './refusal.js'

const refuse: Refuse = (c, refusal) => c.json(refusal, refusal.kind === 'too-large' ? 413 : 429)

function serve(options: Partial<LimitsOptions> = {}) {
  const app = new Hono()
  app.use(limits({ maxRequestBytes: 8, ratePerMinute: 3, peer: (c) => c.req.header('x-peer') ?? 'someone', refuse, ...options }))
  app.post('/', async (c) => c.text(await c.req.text()))
  app.get('/', (c) => c.text('read'))
  return app
}

function get(app: Hono, peer = 'someone') {
  return app.request('/', { headers: { 'x-peer': peer } })
}

/** A body without a length, of which it is known how much was asked for. */
function chunked(chunks: readonly string[]) {
  const pulled: string[] = []
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[pulled.length]
        if (chunk === undefined) return controller.close()
        pulled.push(chunk)
        controller.enqueue(encoder.encode(chunk))
      },
    },
    { highWaterMark: 0 },
  )
  return { pulled, init: { method: 'POST', body, duplex: 'half' } as RequestInit }
}

describe('limits on the size of a body', () => {
  it('lets a body of exactly the limit through, whole', async () => {
    const response = await serve().request('/', { method: 'POST', body: '12345678', headers: { 'content-length': '8' } })
    expect([response.status, await response.text()]).toStrictEqual([200, '12345678'])
  })

  it('refuses by the declared length, in the form that the caller gives', async () => {
    const response = await serve().request('/', { method: 'POST', body: '123456789', headers: { 'content-length': '9' } })
    expect(response.status).toBe(413)
    expect(await response.json()).toStrictEqual({ kind: 'too-large', limit: 8 })
  })

  it('lets a chunked body within the limit through', async () => {
    const response = await serve().request('/', chunked(['1234', '5678']).init)
    expect([response.status, await response.text()]).toStrictEqual([200, '12345678'])
  })

  it('refuses a chunked body as soon as it has read too much, and reads no further', async () => {
    const { init, pulled } = chunked(['1234', '56789', 'more', 'and more'])
    const response = await serve().request('/', init)
    expect(response.status).toBe(413)
    expect(pulled).toStrictEqual(['1234', '56789'])
  })

  it('counts a body that has both a length and a transfer encoding', async () => {
    const { init } = chunked(['1234', '56789'])
    const response = await serve().request('/', { ...init, headers: { 'content-length': '1', 'transfer-encoding': 'chunked' } })
    expect(response.status).toBe(413)
  })

  it.each(['abc', '-1', '1e9', '0x1', ''])('refuses the length %j, which is none', async (length) => {
    const response = await serve().request('/', { method: 'POST', body: '1', headers: { 'content-length': length } })
    expect(response.status).toBe(413)
  })

  it('asks nothing of a request without a body', async () => {
    expect((await get(serve())).status).toBe(200)
  })
})

describe('limits on the rate of a peer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('refuses once a minute is spent, says when to come again, and lets in then', async () => {
    const app = serve()
    for (let i = 0; i < 3; i++) expect((await get(app)).status).toBe(200)
    vi.setSystemTime(15_500)
    const refused = await get(app)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('45')
    expect(await refused.json()).toStrictEqual({ kind: 'too-fast', limit: 3, retryAfterSeconds: 45 })
    vi.setSystemTime(60_000)
    expect((await get(app)).status).toBe(200)
  })

  it('counts each peer for itself', async () => {
    const app = serve({ ratePerMinute: 1 })
    expect((await get(app, 'a')).status).toBe(200)
    expect((await get(app, 'b')).status).toBe(200)
    expect((await get(app, 'a')).status).toBe(429)
  })

  it('forgets the oldest peer when there are too many', async () => {
    const app = serve({ ratePerMinute: 1, maxPeers: 2 })
    for (const peer of ['a', 'b', 'c']) await get(app, peer)
    expect((await get(app, 'c')).status).toBe(429)
    expect((await get(app, 'b')).status).toBe(429)
    expect((await get(app, 'a')).status).toBe(200)
  })

  it('counts a body that is too large, and reads none of a peer that is too fast', async () => {
    const app = serve({ ratePerMinute: 1 })
    expect((await app.request('/', { method: 'POST', body: '123456789', headers: { 'content-length': '9' } })).status).toBe(413)
    const { init, pulled } = chunked(['1'])
    expect((await app.request('/', init)).status).toBe(429)
    expect(pulled).toStrictEqual([])
  })

  it('is off at 0', async () => {
    const app = serve({ ratePerMinute: 0 })
    for (let i = 0; i < 200; i++) expect((await get(app)).status).toBe(200)
  })

  it('sets Retry-After on a response whose headers cannot be changed', async () => {
    const app = serve({ ratePerMinute: 1, refuse: () => Response.redirect('https://example.com/slow', 302) })
    await get(app)
    const refused = await get(app)
    expect([refused.status, refused.headers.get('retry-after')]).toStrictEqual([302, '60'])
  })
})

describe('the options of limits', () => {
  const valid = { peer: () => 'someone', refuse }

  it.each([
    ['maxRequestBytes', 0],
    ['maxRequestBytes', 1.5],
    ['maxRequestBytes', Number.NaN],
    ['ratePerMinute', -1],
    ['ratePerMinute', '120'],
    ['maxPeers', 0],
    ['peer', undefined],
    ['refuse', undefined],
  ])('are refused by name: %s of %j', (field, value) => {
    expect(() => limits({ ...valid, [field]: value } as LimitsOptions)).toThrow(new RegExp(`^limits: ${field} must be `))
  })

  it('default to 1 MiB and 120 requests a minute', async () => {
    const app = serve({ maxRequestBytes: undefined, ratePerMinute: undefined } as unknown as Partial<LimitsOptions>)
    const post = (length: number) => app.request('/', { method: 'POST', body: 'a', headers: { 'content-length': String(length) } })
    expect((await post(1_048_577)).status).toBe(413)
    expect((await post(1_048_576)).status).toBe(200)
    for (let i = 2; i < 120; i++) expect((await get(app)).status).toBe(200)
    expect((await get(app)).status).toBe(429)
  })
})
