import { once } from 'node:events'
import { connect } from 'node:net'
import type { SecurityRequirementJson } from '@moorage/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../node/serve.js'
import { AUDIENCE, createTestKey, ISSUER, sign } from '../testing/test-issuer.js'
import { startTestServer, type TestServer } from '../testing/test-server.js'
import { bothVersions } from '../v0-3/testing/v0-3-server.js'
import { apiKeys, digestApiKey } from './api-keys.js'
import { type Authenticator, defineAuthenticator } from './authenticator.js'
import { jwtBearer } from './jwt-bearer.js'
import { trustedPerimeter } from './trusted-perimeter.js'

/** How a task is asked for, in each binding of each version; and what is said of one that is not there. */
const WAYS = [
  { name: 'JSON-RPC 1.0', version: '1.0', method: 'GetTask', verb: 'POST', path: '/a2a', unknown: 200 },
  { name: 'HTTP+JSON 1.0', version: '1.0', method: undefined, verb: 'GET', path: '/a2a/tasks/nope', unknown: 404 },
  { name: 'JSON-RPC 0.3', version: '0.3', method: 'tasks/get', verb: 'POST', path: '/a2a', unknown: 200 },
  { name: 'HTTP+JSON 0.3', version: '0.3', method: undefined, verb: 'GET', path: '/a2a/v1/tasks/nope', unknown: 404 },
] as const
type Way = (typeof WAYS)[number]
type Sent = Readonly<Record<string, string>> | Headers

const KEY = await createTestKey('one')
const OTHER = await createTestKey('two')
const TOKEN = await sign(KEY)
const local = { issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [KEY.publicJwk] } }
const bearer = jwtBearer(local)
const keys = apiKeys({
  keys: [
    { digest: await digestApiKey('k-ann'), subject: 'ann', scopes: ['read'] },
    { digest: await digestApiKey('k-bob'), subject: 'bob' },
  ],
})

function start(authenticate: readonly Authenticator[], securityRequirements?: readonly SecurityRequirementJson[]): Promise<TestServer> {
  const securitySchemes = Object.assign({}, ...authenticate.map(({ schemes }) => schemes))
  const card = bothVersions({ securitySchemes, ...(securityRequirements && { securityRequirements }) })
  return startTestServer({ authenticate, card })
}

/** Asks for a task that is not there: whoever is known is told so. */
async function ask(server: TestServer, way: Way, sent: Sent = {}, { query = '', address = '' } = {}) {
  const headers = new Headers(sent)
  headers.set('A2A-Version', way.version)
  if (way.method !== undefined) headers.set('Content-Type', 'application/json')
  const body = way.method && JSON.stringify({ jsonrpc: '2.0', id: 7, method: way.method, params: { id: 'nope' } })
  const request = new Request(`http://agent.test${way.path}${query}`, { method: way.verb, headers, ...(body && { body }) })
  const response = await server.harness.fetch(request, { incoming: { socket: { remoteAddress: address } } })
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

const withToken = async (claims: Parameters<typeof sign>[1] = {}) => ({ Authorization: `Bearer ${await sign(KEY, claims)}` })

function twice(name: string, one: string, other: string): Headers {
  const headers = new Headers({ [name]: one })
  headers.append(name, other)
  return headers
}

describe.each(WAYS)('authentication over $name', (way) => {
  it('answers byte for byte the same for every cause of a 401', async () => {
    const server = await start([bearer, keys])
    const good = await sign(KEY)
    const causes: readonly Sent[] = [
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer opaque' },
      { Authorization: `Basic ${good}` },
      { Authorization: good },
      { Authorization: `Bearer ${await sign(OTHER)}` },
      { Authorization: `Bearer ${good}, Bearer ${good}` },
      twice('Authorization', `Bearer ${good}`, `Bearer ${await sign(KEY, { sub: 'bob' })}`),
      { 'X-API-Key': 'k-eve' },
      twice('X-API-Key', 'k-ann', 'k-bob'),
    ]
    const expected = await ask(server, way)
    expect(expected).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.stringMatching(/^Bearer realm.*, ApiKey realm/) } })
    for (const sent of causes) expect(await ask(server, way, sent)).toEqual(expected)
    const told = { 'JSON-RPC': { id: null, error: { code: -32600 } }, 'HTTP+JSON 1.0': { error: { code: 401, status: 'UNAUTHENTICATED' } } }
    const form = way.method ? told['JSON-RPC'] : way.version === '1.0' ? told['HTTP+JSON 1.0'] : { code: -32600 }
    expect(JSON.parse(expected.body)).toMatchObject(form)
  })

  it('takes a credential however its header and its scheme are spelled', async () => {
    const server = await start([bearer])
    const token = await sign(KEY)
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await ask(server, way, { authorization: `${scheme} ${token}` })).status).toBe(way.unknown)
    }
  })

  it.each(['header', 'query', 'cookie'] as const)('finds an API key in the %s, and nowhere else', async (location) => {
    const server = await start([apiKeys({ keys: [{ digest: await digestApiKey('k'), subject: 'ann' }], location, name: 'key' })])
    const places = { header: [{ key: 'k' }], query: [{}, { query: '?key=k' }], cookie: [{ Cookie: 'a=b; key=k' }] } as const
    for (const [place, given] of Object.entries(places)) {
      const { status } = await ask(server, way, ...given)
      expect([place, status]).toEqual([place, place === location ? way.unknown : 401])
    }
  })

  it('lets in who satisfies all schemes of one requirement as one caller, and nobody else', async () => {
    const server = await start([bearer, keys], [{ schemes: { bearer: {}, apiKey: {} } }])
    const token = await withToken()
    expect((await ask(server, way, { ...token, 'X-API-Key': 'k-ann' })).status).toBe(way.unknown)
    for (const sent of [token, { 'X-API-Key': 'k-ann' }, { ...token, 'X-API-Key': 'k-bob' }]) {
      expect((await ask(server, way, sent)).status).toBe(401)
    }
  })

  it('refuses with 403 who is known and lacks a scope, whatever was asked for', async () => {
    const server = await start([bearer], [{ schemes: { bearer: { list: ['read', 'write'] } } }])
    const refused = await ask(server, way, await withToken({ scope: 'read' }))
    expect(refused.status).toBe(403)
    expect(refused.body).not.toMatch(/nope|write|scope/)
    expect((await ask(server, way, await withToken({ scp: ['write', 'read'] }))).status).toBe(way.unknown)
    expect((await ask(server, way, await withToken({ scope: 'write read' }))).status).toBe(way.unknown)
  })

  it('believes the header of a perimeter from its addresses only', async () => {
    const schemes = { sso: { httpAuthSecurityScheme: { scheme: 'Bearer' } } }
    const server = await start([trustedPerimeter({ header: 'X-User', addresses: ['10.0.0.0/24'], schemes })])
    const ann = { 'X-User': 'ann', 'X-Forwarded-For': '10.0.0.9', Forwarded: 'for=10.0.0.9' }
    expect((await ask(server, way, ann, { address: '::ffff:10.0.0.9' })).status).toBe(way.unknown)
    const foreign = await ask(server, way, ann, { address: '10.0.1.9' })
    expect(foreign).toEqual(await ask(server, way, {}, { address: '10.0.1.9' }))
    expect(foreign.status).toBe(401)
    expect((await ask(server, way, twice('X-User', 'ann', 'bob'), { address: '10.0.0.9' })).status).toBe(401)
  })

  it('is a 503 where it cannot tell, also for who another authenticator knows', async () => {
    const schemes = { ldap: { httpAuthSecurityScheme: { scheme: 'Basic' } } }
    const away = defineAuthenticator({ schemes, authenticate: () => Promise.reject(new Error('ldap.internal is away')) })
    const server = await start([keys, away])
    const refused = await ask(server, way, { 'X-API-Key': 'k-ann' })
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(JSON.stringify(refused)).not.toContain('ldap')
    expect(server.logged).toMatchObject([{ err: { message: 'ldap.internal is away' } }])
  })
})

describe('a token that names no key', () => {
  const bearers = (...known: readonly (typeof KEY)[]) => jwtBearer({ ...local, jwks: { keys: known.map(({ publicJwk }) => publicJwk) } })
  it('is taken where the issuer has one key, and not where it has several', async () => {
    const [way] = WAYS
    const sent = { Authorization: `Bearer ${await sign(KEY, {}, { kid: undefined })}` }
    expect((await ask(await start([bearers(KEY)]), way, sent)).status).toBe(way.unknown)
    expect((await ask(await start([bearers(KEY, OTHER)]), way, sent)).status).toBe(401)
  })
})

describe('over a socket', () => {
  it.each([
    ['one credential', `Authorization: Bearer ${TOKEN}\r\n`, 200],
    ['a scheme in capitals', `AUTHORIZATION: BEARER ${TOKEN}\r\n`, 200],
    ['two headers', `Authorization: Bearer ${TOKEN}\r\nauthorization: Bearer ${TOKEN}\r\n`, 401],
    ['a good one behind a bad one', `Authorization: Bearer x\r\nAuthorization: Bearer ${TOKEN}\r\n`, 401],
    ['a folded header', `Authorization: Bearer\r\n ${TOKEN}\r\n`, 400],
    ['a space before the colon', `Authorization : Bearer ${TOKEN}\r\n`, 400],
  ])('%s', async (_what, head, status) => {
    const server = await start([bearer])
    const serving = await serve(server.harness, { port: 0 })
    onTestFinished(() => serving.close())
    const socket = connect(serving.port, '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    socket.write(`GET /a2a/tasks HTTP/1.1\r\nHost: a\r\nConnection: close\r\nA2A-Version: 1.0\r\n${head}\r\n`)
    await once(socket, 'close')
    expect(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])).toBe(status)
  })
})
