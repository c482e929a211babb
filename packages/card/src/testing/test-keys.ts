import { generateKeyPairSync } from 'node:crypto'

/** A new private JWK for each kind of key that signs. */
export const ES256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
export const EDDSA = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
export const RS256 = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
