import { generateKeyPairSync } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CardKeyError } from './card-key-error.js'
import { parseCardKeys } from './card-keys.js'
import { EDDSA, ES256, RS256 } from './testing/test-keys.js'

function refusal(value: unknown): CardKeyError {
  try {
    parseCardKeys(value)
  } catch (error) {
    if (error instanceof CardKeyError) return error
    throw error
  }
  return expect.fail('the keys were accepted')
}

const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ format: 'jwk' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ format: 'jwk' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
const otherEd = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const { d: _, ...publicEc } = ES256
const { d: __, ...publicRsa } = RS256

describe('parseCardKeys', () => {
  it('takes each kind of key, and tells the algorithm by it', () => {
    const keys = parseCardKeys({
      keys: [
        { ...ES256, kid: 'a' },
        { ...EDDSA, kid: 'b', alg: 'EdDSA', use: 'sig', key_ops: ['sign'] },
        { ...RS256, kid: 'c' },
      ],
    })
    expect(keys.map(({ kid, alg }) => [kid, alg])).toStrictEqual([
      ['a', 'ES256'],
      ['b', 'EdDSA'],
      ['c', 'RS256'],
    ])
  })

  it('makes public what is public alone', () => {
    const [ec, ed, rsa] = parseCardKeys({
      keys: [
        { ...ES256, kid: 'a' },
        { ...EDDSA, kid: 'b', key_ops: ['sign'] },
        { ...RS256, kid: 'c' },
      ],
    })
    const { crv, x, y } = ES256
    expect(ec?.publicJwk).toStrictEqual({ kid: 'a', kty: 'EC', alg: 'ES256', use: 'sig', crv, x, y })
    expect(ed?.publicJwk).toStrictEqual({ kid: 'b', kty: 'OKP', alg: 'EdDSA', use: 'sig', crv: EDDSA.crv, x: EDDSA.x })
    expect(rsa?.publicJwk).toStrictEqual({ kid: 'c', kty: 'RSA', alg: 'RS256', use: 'sig', n: RS256.n, e: RS256.e })
  })

  it.each<[string, unknown, string, string]>([
    ['a text', 'abc', '', 'no JWK set'],
    ['a key without a set', { ...ES256, kid: 'a' }, '', 'no JWK set'],
    ['an empty set', { keys: [] }, '', 'no JWK set'],
    ['no key', { keys: [7] }, 'keys[0].kty', 'no kind of key'],
    ['a symmetric key', { keys: [{ kty: 'oct', kid: 'a', k: 'AAAA' }] }, 'keys[0].kty', 'symmetric'],
    ['a public EC key', { keys: [{ ...publicEc, kid: 'a' }] }, 'keys[0].d', 'public key'],
    ['a public RSA key', { keys: [{ ...publicRsa, kid: 'a' }] }, 'keys[0].d', 'public key'],
    ['no kid', { keys: [ES256] }, 'keys[0].kid', 'no name'],
    ['an empty kid', { keys: [{ ...ES256, kid: ' ' }] }, 'keys[0].kid', 'no name'],
    [
      'a kid twice',
      {
        keys: [
          { ...ES256, kid: 'a' },
          { ...EDDSA, kid: 'a' },
        ],
      },
      'keys',
      'Two keys have the kid "a"',
    ],
    ['a weak key', { keys: [{ ...weak, kid: 'a' }] }, 'keys[0].n', '1024 bits is too weak'],
    ['another curve', { keys: [{ ...p384, kid: 'a' }] }, 'keys[0].crv', 'P-256 or Ed25519'],
    ['another algorithm', { keys: [{ ...RS256, kid: 'a', alg: 'PS256' }] }, 'keys[0].alg', 'RS256'],
    ['a key for encryption', { keys: [{ ...ES256, kid: 'a', use: 'enc' }] }, 'keys[0]', 'not for signing'],
    ['a key for verification', { keys: [{ ...ES256, kid: 'a', key_ops: ['verify'] }] }, 'keys[0]', 'not for signing'],
    ['halves of two EC keys', { keys: [{ ...ES256, kid: 'a', d: other.d }] }, 'keys[0]', 'do not belong together'],
    ['halves of two Ed25519 keys', { keys: [{ ...EDDSA, kid: 'a', d: otherEd.d }] }, 'keys[0]', 'do not belong together'],
    ['half an RSA key', { keys: [{ ...RS256, kid: 'a', p: undefined }] }, 'keys[0]', 'no whole private key'],
    ['a broken key', { keys: [{ ...ES256, kid: 'a', x: '' }] }, 'keys[0]', 'no whole private key'],
  ])('refuses %s', (___, value, field, words) => {
    const { faults } = refusal(value)
    expect(faults.map((fault) => fault.field)).toStrictEqual([field])
    expect(faults[0]?.message).toContain(words)
  })

  it('names all faults at once, and shows nothing of a key', () => {
    const error = refusal({ keys: [{ ...ES256, d: other.d, kid: 'a' }, { kty: 'oct', k: 'c2VjcmV0' }, ES256] })
    expect(error.faults.map(({ field }) => field)).toStrictEqual(['keys[0]', 'keys[1].kty', 'keys[2].kid'])
    for (const secret of [other.d, ES256.d, 'c2VjcmV0']) expect(inspect(error, { depth: 9 })).not.toContain(secret)
  })

  it('does not show a key that is printed', () => {
    const keys = parseCardKeys({ keys: [{ ...ES256, kid: 'a' }] })
    expect(`${inspect(keys, { depth: 9, showHidden: true })}${JSON.stringify(keys)}`).not.toContain(ES256.d)
  })
})
