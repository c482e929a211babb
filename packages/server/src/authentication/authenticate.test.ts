import type { AgentCardJson } from '@moorage/protocol'
import { describe, expect, it } from 'vitest'
import { BINDINGS, type TestBinding } from '../testing/bindings.js'
import { testCard } from '../testing/test-agent.js'
import { startTestServer } from '../testing/test-server.js'
import { apiKeys, digestApiKey } from './api-keys.js'
import { createAuthentication } from './authenticate.js'
import type { AuthenticationRequest } from './authentication-request.js'
import { type Authenticator, defineAuthenticator, type Finding } from './authenticator.js'
import { trustedPerimeter } from './trusted-perimeter.js'

const [binding] = BINDINGS as [TestBinding, ...TestBinding[]]
const DIGEST = await digestApiKey('k-123')
const http = (scheme: string) => ({ httpAuthSecurityScheme: { scheme } })

function knows(name: string, finding: Finding | (() => Finding)): Authenticator {
  return defineAuthenticator({ schemes: { [name]: http(name) }, authenticate: () => (typeof finding === 'function' ? finding() : finding) })
}

const adds = (claims: Readonly<Record<string, unknown>>) => defineAuthenticator({ schemes: {}, authenticate: () => ({ claims }) })

function requestWith(
  headers: Headers | Readonly<Record<string, string>> = {},
  address?: string,
  url = 'http://agent.test/a2a',
): AuthenticationRequest {
  return { method: 'POST', path: '/a2a', headers: new Headers(headers), query: new URL(url).searchParams, address }
}

function authentication(authenticators: readonly Authenticator[], fields: Partial<AgentCardJson> = {}) {
  const securitySchemes = Object.assign({}, ...authenticators.map(({ schemes }) => schemes))
  const logged: object[] = []
  const log = (entry: object, message: string) => void logged.push({ ...entry, message })
  const logger = { warn: log, error: log }
  const card = testCard({ securitySchemes, ...fields })
  return { authenticate: createAuthentication({ authenticators, card, realm: 'tester', logger }), logged }
}

describe('several authenticators', () => {
  it('let the first that knows the caller decide who it is, and later ones add claims that are not there yet', async () => {
    const { authenticate } = authentication([
      knows('one', undefined),
      knows('two', { subject: 'ann', tenant: 'acme', claims: { role: 'clerk' } }),
      adds({ role: 'chief', floor: 3 }),
    ])
    expect(await authenticate(requestWith())).toEqual({ subject: 'ann', tenant: 'acme', claims: { role: 'clerk', floor: 3 } })
  })

  it('never let a later one change the caller, nor lend it the claims and schemes of another', async () => {
    const both = { securityRequirements: [{ schemes: { one: {}, two: {} } }] }
    const { authenticate, logged } = authentication(
      [knows('one', { subject: 'ann' }), knows('two', { subject: 'bob', claims: { chief: true } })],
      both,
    )
    await expect(authenticate(requestWith())).rejects.toMatchObject({ error: 'Unauthenticated' })
    expect(logged.at(-1)).toMatchObject({ subject: 'ann', rejections: ['a credential of another caller'] })
    const alone = authentication([knows('one', { subject: 'ann' }), knows('two', { subject: 'bob', claims: { chief: true } })])
    expect(await alone.authenticate(requestWith())).toEqual({ subject: 'ann', tenant: '', claims: {} })
  })

  it('tell each what is known so far', async () => {
    const seen: unknown[] = []
    const looks = defineAuthenticator({ schemes: {}, authenticate: (_request, known) => void seen.push(known) })
    const { authenticate } = authentication([looks, knows('one', { subject: 'ann' }), looks])
    await authenticate(requestWith())
    expect(seen).toEqual([undefined, { subject: 'ann', tenant: '', claims: {} }])
  })

  it('fail closed where one throws, and say why to the log alone', async () => {
    const broken = knows('one', () => {
      throw new Error('the directory at ldap.internal is away')
    })
    const { authenticate, logged } = authentication([broken, knows('two', { subject: 'ann' })])
    const refused = await authenticate(requestWith()).catch((error: unknown) => error)
    expect(refused).toMatchObject({ error: 'Unavailable', headers: { 'Retry-After': '5' } })
    expect(String(refused)).not.toContain('ldap')
    expect(logged).toMatchObject([{ err: { message: 'the directory at ldap.internal is away' } }])
  })

  it.each([
    ['anonymous', { subject: 'anonymous' }],
    ['half of a surrogate pair, which databases store as another name', { subject: 'ann\ud800' }],
    ['a control character, which databases refuse', { subject: 'ann\0' }],
    ['half of a surrogate pair in the tenant', { subject: 'ann', tenant: '\udc00' }],
    ['nobody', { subject: '' }],
    ['somebody far too long', { subject: 'a'.repeat(257) }],
    ['a tenant that is no text', { subject: 'ann', tenant: 7 }],
  ])('fail closed where one names %s', async (_what, finding) => {
    const { authenticate } = authentication([knows('one', finding as Finding)])
    await expect(authenticate(requestWith())).rejects.toMatchObject({ error: 'Unavailable' })
  })

  it('fail closed where one that enforces no scheme names a caller', async () => {
    const { authenticate } = authentication([defineAuthenticator({ schemes: {}, authenticate: () => ({ subject: 'ann' }) })])
    await expect(authenticate(requestWith())).rejects.toMatchObject({ error: 'Unavailable' })
  })
})

describe('the security requirements of the card', () => {
  const one = (scopes?: string[]) => knows('one', { subject: 'ann', ...(scopes && { scopes }) })
  it.each([
    ['one of several is enough', [{ schemes: { two: {} } }, { schemes: { one: {} } }], one(), undefined],
    ['all schemes of one are needed', [{ schemes: { one: {}, two: {} } }], one(), 'Unauthenticated'],
    ['all scopes of one are needed', [{ schemes: { one: { list: ['read', 'write'] } } }], one(['read']), 'PermissionDenied'],
    ['scopes that are there', [{ schemes: { one: { list: ['read'] } } }], one(['write', 'read']), undefined],
  ])('%s', async (_what, securityRequirements, authenticator, error) => {
    const { authenticate } = authentication([authenticator, knows('two', undefined)], { securityRequirements })
    const asked = authenticate(requestWith())
    if (error === undefined) expect(await asked).toMatchObject({ subject: 'ann' })
    else await expect(asked).rejects.toMatchObject({ error })
  })
})

describe('an API key', () => {
  const keys = [{ digest: DIGEST, subject: 'ann', tenant: 'acme' }]
  it.each([
    ['header', 'X-API-Key', requestWith({ 'x-api-key': 'k-123' }), requestWith({ 'x-api-key': 'k-124' })],
    ['query', 'key', requestWith({}, '', 'http://a.test/?key=k-123'), requestWith({}, '', 'http://a.test/?key=k-123&key=k-123')],
    ['cookie', 'key', requestWith({ Cookie: 'a=1; key=k-123' }), requestWith({ Cookie: 'key2=k-123' })],
  ] as const)('is found in the %s', async (location, name, right, wrong) => {
    const { authenticate } = authentication([apiKeys({ keys, location, name })])
    expect(await authenticate(right)).toMatchObject({ subject: 'ann', tenant: 'acme' })
    for (const request of [wrong, requestWith(), requestWith({ 'X-API-Key': DIGEST })]) {
      await expect(authenticate(request)).rejects.toMatchObject({ error: 'Unauthenticated' })
    }
  })

  it.each([
    ['keys must', { keys: [] }],
    ['keys[0].digest', { keys: [{ digest: 'k-123', subject: 'ann' }] }],
    ['keys[1].digest', { keys: [...keys, { digest: DIGEST, subject: 'bob' }] }],
    ['location', { keys, location: 'body' }],
    ['name', { keys, name: 'X-Participant-Id' }],
    ['name', { keys, location: 'query', name: 'pageToken' }],
  ])('is refused by the name of the option: %s', (name, options) => {
    expect(() => apiKeys(options as Parameters<typeof apiKeys>[0])).toThrow(`apiKeys: ${name}`)
  })
})

describe('a trusted perimeter', () => {
  const schemes = { sso: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://sso.test' } } }
  const perimeter = trustedPerimeter({
    header: 'X-User',
    addresses: ['10.0.0.0/24', '192.0.2.7', 'fd00::/8', '::ffff:10.1.0.0/112'],
    schemes,
  })
  const ann = { 'x-user': 'ann' }
  it.each(['10.0.0.9', '::ffff:10.0.0.9', '192.0.2.7', 'fd00::1', '10.1.0.9', '::ffff:10.1.0.9'])(
    'is believed from %s',
    async (address) => {
      const { authenticate } = authentication([perimeter])
      expect(await authenticate(requestWith(ann, address))).toMatchObject({ subject: 'ann' })
    },
  )

  it.each(['10.0.1.9', '10.2.0.9', '::ffff:10.0.1.9', '192.0.2.8', '::1', 'unknown', undefined])(
    'is not believed from %s',
    async (address) => {
      const { authenticate } = authentication([perimeter])
      await expect(authenticate(requestWith(ann, address))).rejects.toMatchObject({ error: 'Unauthenticated' })
    },
  )

  it('does not believe a header that a client may have added to', async () => {
    const headers = new Headers(ann)
    headers.append('X-User', 'bob')
    const { authenticate } = authentication([perimeter])
    await expect(authenticate(requestWith(headers, '10.0.0.9'))).rejects.toMatchObject({ error: 'Unauthenticated' })
  })

  it.each([['0.0.0.0/0'], ['::/0'], ['::ffff:0.0.0.0/96'], ['10.0.0'], ['proxy']])('is refused with the address %s', (address) => {
    expect(() => trustedPerimeter({ header: 'X-User', addresses: [address], schemes })).toThrow('trustedPerimeter: addresses[0] must')
  })
})

describe('a harness with authentication', () => {
  const authenticate = [apiKeys({ keys: [{ digest: DIGEST, subject: 'ann' }] })]
  const card = testCard({ securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } } })

  it('keeps public what has to be public, and nothing else', async () => {
    const server = await startTestServer({ authenticate, card })
    for (const path of ['/.well-known/agent-card.json', '/openapi.json', '/healthz', '/readyz']) {
      expect((await server.fetch(path)).status, path).toBe(200)
    }
    const monitor = await server.fetch('/_monitor')
    expect(monitor.status).toBe(401)
    expect(monitor.headers.get('WWW-Authenticate')).toBe('ApiKey realm="tester", in="header", name="X-API-Key"')
    expect((await server.fetch('/_monitor', { headers: { 'X-API-Key': 'k-123' } })).status).toBe(404)
  })

  it('makes the subject the participant, who may not simply name another', async () => {
    const server = await startTestServer({ authenticate, card })
    const headers = { 'X-API-Key': 'k-123', 'X-Participant-Id': 'bob' }
    const refused = await binding.error(await binding.call(server, 'listTasks', {}, { headers }))
    expect(refused).toMatchObject({ httpStatus: 403, code: -32600 })
  })

  it.each([
    ['securitySchemes.apiKey: The card claims', { card }],
    ['securitySchemes: The card hides', { authenticate }],
    ['securitySchemes.apiKey: The card says', { authenticate, card: testCard({ securitySchemes: { apiKey: http('Bearer') } }) }],
    [
      'securityRequirements[0].schemes.other: No such',
      { authenticate, card: { ...card, securityRequirements: [{ schemes: { other: {} } }] } },
    ],
    [
      'securitySchemes.apiKey: The card says',
      { card, authenticate: [...authenticate, apiKeys({ keys: [{ digest: DIGEST, subject: 'ann' }], location: 'query', name: 'key' })] },
    ],
    [
      'securitySchemes.apiKey: Use ASCII',
      {
        ...{ card: testCard({ securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'query', name: 'schlüssel' } } } }) },
        authenticate: [
          defineAuthenticator({
            schemes: { apiKey: { apiKeySecurityScheme: { location: 'query', name: 'schlüssel' } } },
            authenticate: () => undefined,
          }),
        ],
      },
    ],
    ['authenticate must be', { card, authenticate: [() => undefined] }],
    ['authenticate must have', { authenticate: [adds({})] }],
  ])('does not start where the card and it differ: %s', async (sentence, options) => {
    await expect(startTestServer(options as Parameters<typeof startTestServer>[0])).rejects.toThrow(sentence)
  })
})
