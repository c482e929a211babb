import { generateKeyPairSync } from 'node:crypto'
import { isLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client'
import { extendAgentCard, parseCardKeys, signCard } from '@moorage/card'
import { describe, expect, it, test } from 'vitest'
import { apiKeys, digestApiKey } from './authentication/index.js'
import type { HarnessOptions } from './harness-options.js'
import { BINDINGS } from './testing/bindings.js'
import { startTestServer } from './testing/test-server.js'
import { bothVersions, http, json, rpc } from './v0-3/testing/v0-3-server.js'

const callers = await Promise.all(['ann', 'bob'].map(async (subject) => ({ subject, digest: await digestApiKey(`key of ${subject}`) })))
const authenticate = [apiKeys({ keys: callers })]
const card = bothVersions({
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
  securitySchemes: authenticate[0]?.schemes ?? {},
})
const as = (subject: string) => ({ headers: { 'X-API-Key': `key of ${subject}` } })
const start = (options: Partial<HarnessOptions> = {}) =>
  startTestServer({
    card,
    authenticate,
    extendCard: ({ subject }) => extendAgentCard(card, { description: `For ${subject}.` }),
    ...options,
  })

describe.each(BINDINGS)('the extended card over $name', (binding) => {
  it('is each caller its own, and kept by no cache', async () => {
    const server = await start()
    for (const subject of ['ann', 'bob']) {
      const response = await binding.call(server, 'getExtendedAgentCard', {}, as(subject))
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(await binding.result(response)).toStrictEqual({ ...card, description: `For ${subject}.` })
    }
  })

  it('is for known callers alone', async () => {
    const server = await start({ extendCard: () => expect.fail('nobody is to be asked') })
    const response = await binding.call(server, 'getExtendedAgentCard', {})
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, expect.stringContaining('X-API-Key')])
  })

  it('that cannot be made is an error of the server, whose cause is in the log alone', async () => {
    const cause = new Error('no database at db.internal')
    const server = await start({ extendCard: () => Promise.reject(cause) })
    const response = await binding.call(server, 'getExtendedAgentCard', {}, as('ann'))
    expect(await response.text()).not.toContain('db.internal')
    expect(server.logged).toMatchObject([{ err: { message: 'extendCard failed', cause } }])
  })
})

test('the extended card differs by what names the caller', async () => {
  const response = await (await start()).fetch('/a2a/extendedAgentCard', { headers: { 'A2A-Version': '1.0', ...as('ann').headers } })
  expect([response.status, response.headers.get('Vary')]).toEqual([200, 'Authorization, X-API-Key, X-Participant-Id'])
})

describe('the extended card in A2A 0.3', () => {
  it('is in its form in both bindings, signed where the public card is', async () => {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
    const keys = parseCardKeys({ keys: [{ ...jwk, kid: '2026-01' }] })
    const server = await start({
      extendCard: ({ subject }) => signCard(extendAgentCard(card, { description: `For ${subject}.` }), { keys }),
    })
    const { result } = await json(await rpc(server, 'agent/getAuthenticatedExtendedCard', undefined, as('ann').headers))
    expect(isLegacyAgentCard(result)).toBe(true)
    expect(result).toMatchObject({ description: 'For ann.', supportsAuthenticatedExtendedCard: true, signatures: [{}, {}] })
    expect(await json(await http(server, 'GET', 'card', undefined, as('ann').headers))).toStrictEqual(result)
  })

  it('is said by the public card, and asks for the credentials', async () => {
    const server = await start()
    const publicCard = await server.fetch('/.well-known/agent-card.json', { headers: { 'A2A-Version': '0.3' } })
    expect(await json(publicCard)).toMatchObject({ supportsAuthenticatedExtendedCard: true })
    expect((await http(server, 'GET', 'card')).status).toBe(401)
    expect((await rpc(server, 'agent/getAuthenticatedExtendedCard', undefined)).status).toBe(401)
  })
})

test('a card that declares one stops the start where nobody knows the callers', async () => {
  const { securitySchemes: _, ...open } = card
  await expect(startTestServer({ card: open })).rejects.toThrow(
    'createHarness: card.capabilities.extendedAgentCard must not be true without authenticate',
  )
})
