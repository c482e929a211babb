import { describe, expect, it } from 'vitest'
import { buildAgentCard } from './build-agent-card.js'
import { cardForms } from './card-forms.js'
import { AGENT_CARD_PATH, createCardHandler } from './card-handler.js'
import { richCard } from './testing/rich-card.js'

const url = `https://agents.example.com${AGENT_CARD_PATH}`
const card = buildAgentCard({ name: 'Café' }, { agentId: 'support', baseUrl: 'https://agents.example.com' })
const lastModified = new Date('2026-01-31T12:00:00.789Z')
const handler = createCardHandler(card, { lastModified })

function ask(headers: Record<string, string>, method = 'GET') {
  return handler(new Request(url, { method, headers }))
}

describe('createCardHandler', () => {
  it('answers with the card and everything a cache needs', async () => {
    const response = ask({})
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toStrictEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag',
      'cache-control': 'public, max-age=300',
      'content-length': String(new TextEncoder().encode(JSON.stringify(card)).byteLength),
      'content-type': 'application/json',
      etag: expect.stringMatching(/^"[0-9a-f]{16}"$/),
      'last-modified': 'Sat, 31 Jan 2026 12:00:00 GMT',
    })
    expect(await response.json()).toStrictEqual(card)
  })

  it('answers HEAD with the same headers and nothing else', async () => {
    const response = ask({}, 'HEAD')
    expect(Object.fromEntries(response.headers)).toStrictEqual(Object.fromEntries(ask({}).headers))
    expect(await response.text()).toBe('')
  })

  it.each([
    ['its tag', (etag: string) => etag],
    ['its weak tag', (etag: string) => `W/${etag}`],
    ['one of several tags', (etag: string) => `"other" , ${etag}`],
    ['any tag', () => '*'],
  ])('answers 304 without a body to who has %s', async (_, tags) => {
    const etag = ask({}).headers.get('etag') ?? expect.fail()
    const response = ask({ 'if-none-match': tags(etag) })
    expect([response.status, await response.text(), response.headers.get('etag')]).toStrictEqual([304, '', etag])
    expect(response.headers.has('content-type')).toBe(false)
    expect(ask({ 'if-none-match': tags(etag) }, 'HEAD').status).toBe(304)
  })

  it.each([
    [{ 'if-modified-since': 'Sat, 31 Jan 2026 12:00:00 GMT' }, 304],
    [{ 'if-modified-since': 'Sun, 01 Feb 2026 12:00:00 GMT' }, 304],
    [{ 'if-modified-since': 'Sat, 31 Jan 2026 11:59:59 GMT' }, 200],
    [{ 'if-modified-since': 'yesterday' }, 200],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-none-match': '"other"', 'if-modified-since': 'Sun, 01 Feb 2026 12:00:00 GMT' }, 200],
  ])('answers %j with %i', (headers, status) => {
    expect(ask(headers as unknown as Record<string, string>).status).toBe(status)
  })

  it('has another tag for another card', () => {
    const other = createCardHandler({ ...card, version: '0.0.1' }, { lastModified })
    expect(other(new Request(url)).headers.get('etag')).not.toBe(ask({}).headers.get('etag'))
  })

  it('answers other methods with 405', () => {
    const response = ask({}, 'POST')
    expect([response.status, response.headers.get('allow')]).toStrictEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('refuses options by name', () => {
    expect(() => createCardHandler(card, { maxAgeSeconds: -1 })).toThrow('createCardHandler: maxAgeSeconds must be')
    expect(() => createCardHandler(card, { lastModified: new Date('never') })).toThrow('createCardHandler: lastModified must be')
    expect(createCardHandler(card, { maxAgeSeconds: 0 })(new Request(url)).headers.get('cache-control')).toBe('public, max-age=0')
  })

  it('lets any page ask, with any header', () => {
    const response = ask({ origin: 'https://page.example', 'access-control-request-headers': 'a2a-version' }, 'OPTIONS')
    expect([response.status, Object.fromEntries(response.headers)]).toStrictEqual([
      204,
      {
        allow: 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': '*, Authorization',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'ETag',
        'access-control-max-age': '86400',
      },
    ])
  })

  it('answers every version with the one form of a card of 1.0 alone', async () => {
    for (const version of ['1.0', '0.3', '7', '']) expect(await ask({ 'a2a-version': version }).json()).toStrictEqual(await ask({}).json())
    expect(ask({ 'a2a-version': '0.3' }).headers.has('vary')).toBe(false)
  })
})

describe('createCardHandler of a card that declares A2A 0.3 too', () => {
  const both = createCardHandler(richCard, { lastModified })
  const { current, older } = cardForms(richCard)
  const get = (headers: Record<string, string> = {}, query = '') => both(new Request(`${url}${query}`, { headers }))

  it.each([
    ['1.0', {}, '1.0'],
    ['1.0.7', {}, '1.0'],
    [' 1.0 ', {}, '1.0'],
    ['1.0', { query: '?A2A-Version=0.3' }, '1.0'],
    ['0.3', {}, '0.3'],
    ['0.3.0', {}, '0.3'],
    ['0.3', { query: '?A2A-Version=1.0' }, '0.3'],
    [undefined, { query: '?A2A-Version=0.3' }, '0.3'],
    [undefined, { query: '?A2A-Version=1.0' }, '1.0'],
    [undefined, {}, 'both'],
    ['', {}, 'both'],
    ['99.0', {}, 'both'],
    ['latest', {}, 'both'],
    ['0.3, 0.3.0', {}, '0.3'],
    ['1.0, 0.3', {}, 'both'],
    [undefined, { query: '?A2A-Version=0.3&A2A-Version=0.3' }, '0.3'],
    [undefined, { query: '?A2A-Version=1.0&A2A-Version=0.3' }, 'both'],
  ])('answers the version %j%j in the form of %s', async (version, { query = '' }: { query?: string }, form) => {
    const forms: Record<string, unknown> = { '1.0': current, '0.3': older?.legacy, both: older?.union }
    const response = get(version === undefined ? {} : { 'a2a-version': version }, query)
    expect([response.status, response.headers.get('vary'), await response.json()]).toStrictEqual([200, 'A2A-Version', forms[form]])
  })

  it('has a tag for each form, and 304 says that forms vary', () => {
    const tags = ['1.0', '0.3', ''].map((version) => get({ 'a2a-version': version }).headers.get('etag') ?? '')
    expect(new Set(tags).size).toBe(3)
    expect(get({ 'a2a-version': '1.0', 'if-none-match': `${tags[1]}, ${tags[2]}` }).status).toBe(200)
    const known = get({ 'a2a-version': '1.0', 'if-none-match': tags[0] ?? '' })
    expect([known.status, known.headers.get('vary')]).toStrictEqual([304, 'A2A-Version'])
  })
})
