import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client'
import type { AgentCardJson } from '@moorage/protocol'
import type { JSONWebKeySet } from 'jose'
import { describe, expect, it } from 'vitest'
import { buildAgentCard } from './build-agent-card.js'
import { AGENT_CARD_PATH, createCardHandler } from './card-handler.js'
import { parseCardKeys } from './card-keys.js'
import { createJwksHandler, JWKS_PATH } from './jwks-handler.js'
import { type SignedCard, signCard } from './sign-card.js'
import { richCard } from './testing/rich-card.js'
import { EDDSA, ES256, RS256 } from './testing/test-keys.js'
import { type ServedCard, verifyServed } from './testing/verify-card.js'

const host = 'https://agents.example.com'
const jku = `${host}${JWKS_PATH}`
const [oldKey, newKey] = [
  { ...ES256, kid: '2026-01' },
  { ...EDDSA, kid: '2026-02' },
]
const plain = buildAgentCard({ name: 'Café' }, { agentId: 'support', baseUrl: host })
const empty: AgentCardJson = { ...plain, skills: [] }

function sign(card: AgentCardJson, ...keys: readonly object[]): Promise<SignedCard> {
  return signCard(card, { keys: parseCardKeys({ keys }), jku })
}

async function serve(signed: SignedCard, version = ''): Promise<{ card: ServedCard; jwks: JSONWebKeySet }> {
  const response = createCardHandler(signed)(new Request(`${host}${AGENT_CARD_PATH}`, { headers: { 'A2A-Version': version } }))
  const keys = createJwksHandler(signed)(new Request(jku))
  return { card: (await response.json()) as ServedCard, jwks: (await keys.json()) as JSONWebKeySet }
}

/** Rejects unless the SDK verifies one of the signatures. */
function verifyBySdk(card: unknown, { keys }: JSONWebKeySet): Promise<void> {
  return verifyAgentCardSignature(async (kid) => keys.find((key) => key.kid === kid) ?? {})(card as AgentCard)
}

describe('signCard', () => {
  it.each([
    ['ES256', { ...ES256, kid: 'k' }],
    ['EdDSA', { ...EDDSA, kid: 'k' }],
    ['RS256', { ...RS256, kid: 'k' }],
  ])('signs what is served, with %s', async (alg, key) => {
    const { card, jwks } = await serve(await sign(plain, key))
    expect(await verifyServed(card, jwks)).toStrictEqual([{ alg, kid: 'k', typ: 'JOSE', jku }])
    await expect(verifyBySdk(card, jwks)).resolves.toBeUndefined()
  })

  it('signs with each key once, so that a new one can be there before the old one is gone', async () => {
    const during = await serve(await sign(plain, oldKey, newKey))
    const before = await serve(await sign(plain, oldKey))
    const after = await serve(await sign(plain, newKey))
    expect(during.card.signatures).toHaveLength(2)
    expect(await verifyServed(during.card, before.jwks)).toMatchObject([{ kid: '2026-01' }])
    expect(await verifyServed(during.card, after.jwks)).toMatchObject([{ kid: '2026-02' }])
    expect(await verifyServed(before.card, during.jwks)).toHaveLength(1)
    expect(await verifyServed(after.card, before.jwks)).toHaveLength(0)
  })

  it('is the same on every replica that has the same Ed25519 and RSA keys', async () => {
    const keys = [newKey, { ...RS256, kid: '2026-03' }]
    expect((await sign(richCard, ...keys)).forms).toStrictEqual((await sign(richCard, ...keys)).forms)
  })

  it('names no key set where none is given', async () => {
    const signed = await signCard(plain, { keys: parseCardKeys({ keys: [oldKey] }) })
    const { card, jwks } = await serve(signed)
    expect(await verifyServed(card, jwks)).toStrictEqual([{ alg: 'ES256', kid: '2026-01', typ: 'JOSE' }])
  })

  it.each(['1.0', '0.3', ''])('signs every form of a card that declares A2A 0.3 too: the version %j', async (version) => {
    const { card, jwks } = await serve(await sign(richCard, oldKey, newKey), version)
    expect(await verifyServed(card, jwks)).toMatchObject([{ kid: '2026-01' }, { kid: '2026-02' }])
    const isLegacy = version === '0.3'
    await expect(verifyBySdk(isLegacy ? parseLegacyInJson(card) : card, jwks)).resolves.toBeUndefined()
  })

  it('signs what the SDK verifies too where something required is empty', async () => {
    const { card, jwks } = await serve(await sign(empty, oldKey))
    expect(await verifyServed(card, jwks)).toHaveLength(1)
    await expect(verifyBySdk(card, jwks)).resolves.toBeUndefined()
    expect(card.signatures).toHaveLength(2)
  })

  it('signs the card alone: whatever is changed, added or taken away breaks it', async () => {
    const { card, jwks } = await serve(await sign(plain, oldKey))
    const { description: _, ...less } = card
    for (const other of [{ ...card, version: '9' }, { ...card, documentationUrl: 'https://other.example' }, less]) {
      expect(await verifyServed(other, jwks)).toStrictEqual([])
      await expect(verifyBySdk(other, jwks)).rejects.toThrow('No valid signatures')
    }
  })

  it('signs again a card that came with signatures', async () => {
    const { card } = await serve(await sign({ ...plain, signatures: [{ protected: 'a', signature: 'b' }] }, oldKey))
    expect(card.signatures).toHaveLength(1)
    expect(card.signatures?.[0]?.signature).not.toBe('b')
  })
})

/** As the SDK's client reads a 0.3 card, in the form in which it verifies security schemes. */
function parseLegacyInJson(card: ServedCard): unknown {
  return AgentCard.toJSON(parseLegacyAgentCard(card))
}

describe('createJwksHandler', () => {
  it('answers with the public parts alone, and everything a cache needs', async () => {
    const response = createJwksHandler(await sign(plain, oldKey, { ...RS256, kid: '2026-03' }))(new Request(jku))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
      'content-type': 'application/jwk-set+json',
      etag: expect.stringMatching(/^"[0-9a-f]{16}"$/),
    })
    const { keys } = (await response.json()) as JSONWebKeySet
    expect(keys.map((key) => Object.keys(key).toSorted())).toStrictEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ])
  })
})
