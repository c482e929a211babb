import { generateKeyPairSync } from 'node:crypto'
import { verifyAgentCardSignature } from '@a2a-js/sdk'
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client'
import { isLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client'
import { parseCardKeys, signCard } from '@moorage/card'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineAuthenticator } from './authentication/authenticator.js'
import { serve } from './node/serve.js'
import { describeRefusals } from './testing/refusal-suite.js'
import { testCard } from './testing/test-agent.js'
import { startTestServer } from './testing/test-server.js'

const CARD = '/.well-known/agent-card.json'
const JWKS = '/.well-known/jwks.json'

const plain = testCard()
const both = testCard({
  supportedInterfaces: ['1.0', '0.3'].flatMap((protocolVersion) =>
    plain.supportedInterfaces.map((entry) => ({ ...entry, protocolVersion })),
  ),
})
const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const keys = parseCardKeys({ keys: [{ ...jwk, kid: '2026-01' }] })

const everybody = defineAuthenticator({
  schemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
  authenticate: () => ({ subject: 'ann' }),
})
const extended = testCard({ capabilities: { ...plain.capabilities, extendedAgentCard: true }, securitySchemes: everybody.schemes })

describe('the agent card', () => {
  test('is unsigned without keys, and there is no key set', async () => {
    const server = await startTestServer()
    expect(await (await server.fetch(CARD)).json()).toStrictEqual(plain)
    const missing = await server.fetch(JWKS)
    expect([missing.status, (await missing.json()) as unknown]).toMatchObject([404, { error: { code: 404, status: 'NOT_FOUND' } }])
  })

  test('can be asked for by any page, before it asks too', async () => {
    const server = await startTestServer()
    const preflight = await server.fetch(CARD, { method: 'OPTIONS', headers: { Origin: 'https://page.example' } })
    const allowed = ['origin', 'methods', 'headers'].map((name) => preflight.headers.get(`access-control-allow-${name}`))
    expect([preflight.status, ...allowed]).toStrictEqual([204, '*', 'GET, HEAD, OPTIONS', '*, Authorization'])
    const response = await server.fetch(CARD, { headers: { Origin: 'https://page.example' } })
    const names = ['access-control-allow-origin', 'access-control-expose-headers', 'vary']
    expect(names.map((name) => response.headers.get(name))).toStrictEqual(['*', 'ETag', null])
  })

  test('refuses no version, and is the same in each where the card is of 1.0 alone', async () => {
    const server = await startTestServer()
    for (const version of ['', '0.3', '1.0', '2.0', 'x']) {
      const response = await server.fetch(CARD, { headers: { 'A2A-Version': version } })
      expect([response.status, await response.json()]).toStrictEqual([200, plain])
    }
  })

  test.each(['1.0', '0.3', ''])('verifies by its key set, fetched over a socket, in the form of the version %j', async (version) => {
    const server = await startTestServer({ card: both, signedCard: await signCard(both, { keys }) })
    const serving = await serve(server.harness, { port: 0 })
    onTestFinished(() => serving.close())
    const response = await fetch(`${serving.url}${CARD}`, { headers: { 'A2A-Version': version } })
    expect(response.headers.get('vary')).toBe('A2A-Version')
    const card: unknown = await response.json()
    expect(isLegacyAgentCard(card)).toBe(version === '0.3')
    const resolver = new DefaultAgentCardResolver({
      legacyCompat: { enabled: true },
      fetchImpl: () => Promise.resolve(Response.json(card)),
    })
    const verify = verifyAgentCardSignature(async (kid) => {
      const set = (await (await fetch(`${serving.url}${JWKS}`)).json()) as { keys: { kid: string }[] }
      return set.keys.find((key) => key.kid === kid) ?? {}
    })
    await expect(verify(await resolver.resolve(serving.url))).resolves.toBeUndefined()
  })

  test('keeps the private part of its keys to itself', async () => {
    const server = await startTestServer({ card: plain, signedCard: await signCard(plain, { keys }) })
    const answers = await Promise.all([CARD, JWKS].map(async (path) => (await server.fetch(path)).text()))
    expect(answers.join()).not.toContain(jwk.d)
    expect(answers[1]).toContain(jwk.x)
  })

  test('answers other verbs with 405 in JSON, its key set too', async () => {
    const server = await startTestServer({ card: plain, signedCard: await signCard(plain, { keys }) })
    for (const path of [CARD, JWKS]) {
      const response = await server.fetch(path, { method: 'DELETE' })
      expect([response.status, response.headers.get('allow')]).toStrictEqual([405, 'GET, HEAD, OPTIONS'])
      expect(await response.json()).toHaveProperty('error')
    }
  })

  test('is not taken signed where it is another than the harness serves', async () => {
    const options = { card: plain, signedCard: await signCard(testCard({ name: 'Other' }), { keys }) }
    await expect(startTestServer(options)).rejects.toThrow('createHarness: signedCard must be what signCard made of the option card')
  })
})

describeRefusals([
  { what: 'a card that declares none', operation: 'getExtendedAgentCard', request: {}, error: 'UnsupportedOperationError' },
  {
    what: 'a card that declares one, which this server does not have',
    operation: 'getExtendedAgentCard',
    request: {},
    error: 'ExtendedAgentCardNotConfiguredError',
    server: { card: extended, authenticate: [everybody] },
  },
])
