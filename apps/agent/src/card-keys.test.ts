import { generateKeyPairSync } from 'node:crypto'
import { ConfigError } from '@moorage/bootstrap'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from './config.js'

const ed25519 = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: '2026-02' }
const p256 = { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid: '2026-01' }
const weak = { ...generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ format: 'jwk' }), kid: 'weak' }

function read(text: string): Promise<Config> {
  return readConfig({ MOORAGE_CARD_KEYS: text }, '/work/somewhere')
}

describe('MOORAGE_CARD_KEYS', () => {
  it('may hold several keys, over several lines', async () => {
    const { cardKeys } = await read(JSON.stringify({ keys: [p256, ed25519] }, null, 2))
    expect(cardKeys.map(({ kid, alg }) => [kid, alg])).toStrictEqual([
      ['2026-01', 'ES256'],
      ['2026-02', 'EdDSA'],
    ])
  })

  it('may be unset: the card is not signed then', async () => {
    expect((await read('')).cardKeys).toStrictEqual([])
  })

  it.each([
    ['no JSON', JSON.stringify({ keys: [p256] }).slice(0, -2), ['it is no JSON; give the set itself, not the path of its file']],
    ['no set', JSON.stringify(p256), ['This is no JWK set; give']],
    ['a weak key and a symmetric one', JSON.stringify({ keys: [weak, { kty: 'oct', k: 'c2VjcmV0' }] }), ['keys[0].n: ', 'keys[1].kty: ']],
    ['a public key', JSON.stringify({ keys: [{ ...p256, d: undefined }] }), ['keys[0].d: This is a public key']],
  ])('is refused by name, and shown nothing of: %s', async (_, text, reasons) => {
    const error: unknown = await read(text).catch((thrown: unknown) => thrown)
    if (!(error instanceof ConfigError)) throw error
    const starts = reasons.map((reason) => `MOORAGE_CARD_KEYS must be a JWK set of private keys, as JSON: {"keys":[…]}; ${reason}`)
    expect(error.faults.map((fault, index) => fault.slice(0, starts[index]?.length))).toStrictEqual(starts)
    for (const part of [p256.d, p256.x, weak.d, weak.n, 'c2VjcmV0']) expect(error.message).not.toContain(part)
  })
})
