import { createPublicKey, verify } from 'node:crypto'
import { expect } from 'vitest'
import { scenario } from '../scenario.js'
import type { Fields } from '../wire/forms.js'

const SIGNED = { profile: 'everything', on: ['host'] } as const

interface Signature {
  readonly protected: string
  readonly signature: string
}

interface Jwk extends Fields {
  readonly kid: string
  readonly kty: string
}

async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Fields> {
  const response = await fetch(url, { headers })
  expect(response.status).toBe(200)
  return (await response.json()) as Fields
}

/** Canonical JSON (RFC 8785) of what a card holds: no number of one needs more than `JSON.stringify`. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join()}}`
}

/** The keys whose signatures verify over the payload, by Node's own cryptography. */
function verifiedBy(payload: string, signatures: readonly Signature[], keys: readonly Jwk[]): readonly string[] {
  const encoded = Buffer.from(payload).toString('base64url')
  return signatures.flatMap(({ protected: header, signature }) => {
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
    const jwk = keys.find((key) => key.kid === kid)
    if (jwk === undefined) return []
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const data = Buffer.from(`${header}.${encoded}`)
    const isRight = verify(
      jwk.kty === 'OKP' ? null : 'sha256',
      data,
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    return isRight ? [kid] : []
  })
}

async function cardAndKeys(url: string, headers: Readonly<Record<string, string>> = {}) {
  const { signatures, ...card } = await get(`${url}/.well-known/agent-card.json`, headers)
  const { keys } = (await get(`${url}/.well-known/jwks.json`)) as { keys: readonly Jwk[] } & Fields
  return { card, signatures: signatures as readonly Signature[], keys }
}

scenario(
  'the signatures of both keys are over the card without them, in canonical JSON',
  ['CARD-11', 'CARD-12', 'CARD-SIGN-001', 'CARD-SIGN-002'],
  SIGNED,
  async ({ url }) => {
    const { card, signatures, keys } = await cardAndKeys(url, { 'A2A-Version': '1.0' })
    expect(new Set(verifiedBy(canonical(card), signatures, keys))).toEqual(new Set(['new', 'old']))
    expect(verifiedBy(canonical({ ...card, name: 'Another' }), signatures, keys)).toEqual([])
    expect(verifiedBy(canonical({ ...card, signatures }), signatures, keys)).toEqual([])
  },
)

scenario('the protected header says how, and with which key', ['CARD-12', 'CARD-SIGN-003'], SIGNED, async ({ url }) => {
  const { signatures, keys } = await cardAndKeys(url, { 'A2A-Version': '1.0' })
  const headers = signatures.map((signature) => JSON.parse(Buffer.from(signature.protected, 'base64url').toString()) as Fields)
  for (const header of headers)
    expect(header).toMatchObject({ alg: expect.stringMatching(/^(ES256|EdDSA)$/), typ: 'JOSE', jku: `${url}/.well-known/jwks.json` })
  expect(new Set(headers.map(({ kid }) => kid))).toEqual(new Set(keys.map(({ kid }) => kid)))
  for (const key of keys) expect(key).not.toHaveProperty('d')
})

scenario('each form of the card is signed as it is served', ['CARD-13', 'V03-04', 'CARD-12'], SIGNED, async ({ url }) => {
  for (const headers of [{ 'A2A-Version': '1.0' }, { 'A2A-Version': '0.3' }, {}]) {
    const { card, signatures, keys } = await cardAndKeys(url, headers)
    expect(new Set(verifiedBy(canonical(card), signatures, keys))).toEqual(new Set(['new', 'old']))
  }
})

scenario(
  'the card is in the form of the version that is asked for, and in both forms where none is',
  ['V03-04', 'PARAM-03'],
  { profile: 'everything', on: ['host'] },
  async ({ url }) => {
    const card = (version?: string) => get(`${url}/.well-known/agent-card.json`, version === undefined ? {} : { 'A2A-Version': version })
    const { supportedInterfaces } = (await card('1.0')) as { supportedInterfaces: readonly Fields[] } & Fields
    expect(await card('1.0')).not.toHaveProperty('protocolVersion')
    expect(supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual(['1.0', '1.0', '0.3', '0.3'])
    const older = { protocolVersion: '0.3.0', url: `${url}/a2a`, preferredTransport: 'JSONRPC' }
    expect(await card('0.3')).toMatchObject(older)
    expect(await card('0.3')).not.toHaveProperty('supportedInterfaces')
    expect(await card()).toMatchObject({ ...older, supportedInterfaces })
    expect((await fetch(`${url}/.well-known/agent-card.json`)).headers.get('Vary')).toContain('A2A-Version')
  },
)
