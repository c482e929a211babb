import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { BINDINGS, type TestBinding } from '../testing/bindings.js'
import { testCard } from '../testing/test-agent.js'
import { AUDIENCE, createTestKey, ISSUER, sign, startTestIssuer, type TestIssuer } from '../testing/test-issuer.js'
import { startTestServer } from '../testing/test-server.js'
import { type JwtBearerOptions, jwtBearer } from './jwt-bearer.js'

const KEY = await createTestKey('one')
const OTHER = await createTestKey('two')
const BEARER = { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } }
const soon = () => Math.floor(Date.now() / 1000) + 300

function serverFor(issuer: Pick<TestIssuer, 'jwks'>, options: Partial<JwtBearerOptions> = {}) {
  const authenticate = [jwtBearer({ issuer: ISSUER, audience: AUDIENCE, jwks: issuer.jwks, ...options })]
  return startTestServer({ authenticate, card: testCard({ securitySchemes: { bearer: BEARER } }) })
}

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

async function signedWithPublicKey(): Promise<string> {
  const spki = await exportSPKI((await importJWK(KEY.publicJwk, 'ES256', { extractable: true })) as Parameters<typeof exportSPKI>[0])
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'ann', exp: soon() }
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: KEY.kid }).sign(new TextEncoder().encode(spki))
}

/** What each bad token is told to the log as. */
const BAD: readonly (readonly [string, () => string | Promise<string>, RegExp])[] = [
  ['has expired', () => sign(KEY, { exp: soon() - 400 }), /expired/],
  ['is not valid yet', () => sign(KEY, { nbf: soon() }), /nbf/],
  ['never expires', () => sign(KEY, { exp: undefined }), /exp/],
  ['is signed by another key under this one’s id', () => sign(OTHER, {}, { kid: KEY.kid }), /signature/],
  ['is for another audience', () => sign(KEY, { aud: 'https://other.test' }), /aud/],
  ['is of another issuer', () => sign(KEY, { iss: 'https://other.test' }), /iss/],
  ['names no subject', () => sign(KEY, { sub: undefined }), /subject/],
  ['has alg none', () => new UnsecuredJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'ann' }).setExpirationTime('5m').encode(), /algorithm/],
  ['is signed with the public key as a secret', signedWithPublicKey, /algorithm/],
  ['has a key id that is not in the JWKS', () => sign(OTHER), /key id/],
  ['is no JWT', () => 'opaque', /no JWT/],
  ['is a JWT with a broken header', () => 'e30.e30.e30', /algorithm|malformed/],
]

describe.each(BINDINGS)('a bearer token, over $name', (binding) => {
  it('lets its subject in, and nobody without one', async () => {
    const server = await serverFor(await startTestIssuer([KEY]))
    const tasks = await binding.result(await binding.call(server, 'listTasks', {}, bearer(await sign(KEY))))
    expect(tasks).toMatchObject({ totalSize: 0 })
    const response = await binding.call(server, 'listTasks')
    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="tester"')
  })

  it('gets the same answer whatever is wrong with it, and the log gets the reason', async () => {
    const server = await serverFor(await startTestIssuer([KEY]))
    const none = await binding.call(server, 'listTasks')
    const expected = { body: await none.text(), headers: [...none.headers] }
    for (const [what, make, reason] of BAD) {
      const token = await make()
      const response = await binding.call(server, 'listTasks', {}, bearer(token))
      expect([response.status, await response.text(), [...response.headers]], what).toEqual([401, expected.body, expected.headers])
      const logged = JSON.stringify(server.logged.at(-1))
      expect(logged, what).toMatch(reason)
      expect(logged, what).not.toContain(token)
    }
  })
})

describe('the keys of an issuer', () => {
  const [binding] = BINDINGS as [TestBinding, ...TestBinding[]]
  const list = async (server: Awaited<ReturnType<typeof serverFor>>, token: string) =>
    (await binding.call(server, 'listTasks', {}, bearer(token))).status

  it('are fetched once for many tokens', async () => {
    const issuer = await startTestIssuer([KEY])
    const server = await serverFor(issuer)
    for (let count = 0; count < 3; count++) expect(await list(server, await sign(KEY))).toBe(200)
    expect(issuer.fetches()).toBe(1)
  })

  it('are fetched once more for a key id that is not among them, which then is refused', async () => {
    const issuer = await startTestIssuer([KEY])
    const server = await serverFor(issuer, { jwksCooldownMs: 0 })
    expect(await list(server, await sign(KEY))).toBe(200)
    expect(await list(server, await sign(OTHER))).toBe(401)
    expect(issuer.fetches()).toBe(2)
  })

  it('are not fetched again so soon: unknown key ids do not make this server ask the issuer each time', async () => {
    const issuer = await startTestIssuer([KEY])
    const server = await serverFor(issuer)
    for (let count = 0; count < 3; count++) expect(await list(server, await sign(OTHER))).toBe(401)
    expect(issuer.fetches()).toBe(1)
  })

  it('may rotate: a new key is taken as soon as a token names it', async () => {
    const issuer = await startTestIssuer([KEY])
    const server = await serverFor(issuer, { jwksCooldownMs: 0 })
    expect(await list(server, await sign(KEY))).toBe(200)
    issuer.served = [KEY, OTHER]
    expect(await list(server, await sign(OTHER))).toBe(200)
    expect(await list(server, await sign(KEY))).toBe(200)
  })

  it('may be out of reach: callers are told to come again, and nobody gets in', async () => {
    const issuer = await startTestIssuer([])
    issuer.served = undefined
    const server = await serverFor(issuer)
    const response = await binding.call(server, 'listTasks', {}, bearer(await sign(KEY)))
    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('5')
    expect(await response.text()).not.toContain(issuer.jwks.host)
    expect(server.logged.at(-1)).toMatchObject({ message: 'authentication failed: the request is refused' })
  })
})

describe('what jwtBearer is given', () => {
  const jwks = new URL('https://issuer.test/jwks.json')
  const good = { issuer: ISSUER, audience: AUDIENCE, jwks }
  it.each([
    ['issuer', { ...good, issuer: '' }],
    ['audience', { issuer: ISSUER, jwks }],
    ['jwks', { ...good, jwks: new URL('http://issuer.test/jwks.json') }],
    ['jwks', { ...good, jwks: { keys: [] } }],
    ['algorithms', { ...good, algorithms: ['HS256'] }],
    ['algorithms', { ...good, algorithms: ['none'] }],
    ['clockSkewSeconds', { ...good, clockSkewSeconds: -1 }],
    ['alg', { ...good, alg: 'RS256' }],
  ])('is refused by the name of the option: %s', (name, options) => {
    expect(() => jwtBearer(options as JwtBearerOptions)).toThrow(new RegExp(`^jwtBearer: ${name} `))
  })
})
