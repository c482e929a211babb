import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { CardKeyError, type CardKeyFault } from './card-key-error.js'

/** The public part of a key, as a JWK set shows it. */
export interface PublicJwk {
  readonly kid: string
  readonly kty: string
  readonly alg: CardAlgorithm
  readonly use: 'sig'
  readonly [parameter: string]: string
}

export type CardAlgorithm = 'ES256' | 'EdDSA' | 'RS256'

/** A key that cards are signed with. */
export interface CardKey {
  readonly kid: string
  readonly alg: CardAlgorithm
  readonly privateKey: KeyObject
  readonly publicJwk: PublicJwk
}

/** What can sign: the public parameters of the kind of key, and the algorithm that goes with it. */
interface KeyKind {
  readonly kty: string
  readonly crv?: string
  readonly alg: CardAlgorithm
  readonly parameters: readonly string[]
}

const KINDS: readonly KeyKind[] = [
  { kty: 'EC', crv: 'P-256', alg: 'ES256', parameters: ['crv', 'x', 'y'] },
  { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', parameters: ['crv', 'x'] },
  { kty: 'RSA', alg: 'RS256', parameters: ['n', 'e'] },
]

const MIN_RSA_BITS = 2048

const text = z.string()
const jwk = z.looseObject({
  kty: text,
  kid: text.regex(/\S/),
  d: text,
  crv: text.optional(),
  alg: text.optional(),
  use: text.optional(),
  key_ops: z.array(text).optional(),
})
const set = z.object({ keys: z.array(z.unknown()).min(1) })

/**
 * The keys of a JWK set (RFC 7517) of private keys: EC P-256, OKP Ed25519, or RSA of at least 2048 bits, each with a `kid` of its own. Every
 * one of them signs: to rotate, add the new key, and take the old one out when nobody has a card or a key set from before.
 * @throws {CardKeyError} naming everything that is wrong at once, and nothing of the keys
 */
export function parseCardKeys(value: unknown): readonly CardKey[] {
  const parsed = set.safeParse(value)
  if (!parsed.success)
    throw new CardKeyError([{ field: '', message: 'This is no JWK set; give {"keys":[…]} with at least one private key in it.' }])
  const results = parsed.data.keys.map((key, index) => parseKey(key, `keys[${index}]`))
  const faults = results.flatMap((result) => ('message' in result ? [result] : []))
  const keys = results.flatMap((result) => ('message' in result ? [] : [result]))
  for (const [index, { kid }] of keys.entries()) {
    if (keys.findIndex((other) => other.kid === kid) === index) continue
    faults.push({ field: 'keys', message: `Two keys have the kid ${JSON.stringify(kid)}; give each key a kid of its own.` })
  }
  if (faults.length > 0) throw new CardKeyError(faults)
  return keys
}

function parseKey(value: unknown, field: string): CardKey | CardKeyFault {
  const unfit = kindFault(value, field)
  if (unfit !== undefined) return unfit
  const parsed = jwk.safeParse(value)
  if (!parsed.success) return shapeFault(parsed.error.issues[0], field)
  const { kty, crv, kid, alg, use, key_ops: operations } = parsed.data
  const kind = KINDS.find((candidate) => candidate.kty === kty && candidate.crv === crv)
  if (kind === undefined) return { field: `${field}.crv`, message: 'This curve cannot sign a card; take P-256 or Ed25519.' }
  if (alg !== undefined && alg !== kind.alg)
    return { field: `${field}.alg`, message: `This key signs with ${kind.alg} here; give that, or leave alg out.` }
  if ((use !== undefined && use !== 'sig') || operations?.includes('sign') === false) {
    return { field, message: 'This key says that it is not for signing (use, key_ops); give one that is.' }
  }
  return (
    importKey(parsed.data, field, kid, kind) ?? {
      field,
      message: 'This is no whole private key, or its private and public parts do not belong together; give the key as it was made.',
    }
  )
}

function kindFault(value: unknown, field: string): CardKeyFault | undefined {
  const kty: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'kty') : undefined
  if (kty === 'oct')
    return {
      field: `${field}.kty`,
      message: 'This is a symmetric key, which whoever verifies would need too; give a private key: EC, OKP or RSA.',
    }
  if (KINDS.some((kind) => kind.kty === kty)) return undefined
  return { field: `${field}.kty`, message: 'This is no kind of key that can sign a card; give a private JWK with the kty EC, OKP or RSA.' }
}

function shapeFault(issue: z.core.$ZodIssue | undefined, field: string): CardKeyFault {
  const name = String(issue?.path[0])
  if (name === 'd')
    return { field: `${field}.d`, message: 'This is a public key, which cannot sign; give the private key, whose parameter d is there.' }
  if (name === 'kid') return { field: `${field}.kid`, message: 'The key has no name that signatures can give; give it a text as kid.' }
  return { field: `${field}.${name}`, message: 'This is no text, or no list of them; give the key as it was made.' }
}

/** Undefined if it is no key: parts are missing, or they are of different keys. */
function importKey(
  jwk: Readonly<Record<string, unknown>>,
  field: string,
  kid: string,
  { kty, alg, parameters }: KeyKind,
): CardKey | CardKeyFault | undefined {
  const publicJwk: PublicJwk = { kid, kty, alg, use: 'sig', ...Object.fromEntries(parameters.map((name) => [name, String(jwk[name])])) }
  try {
    const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
    const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS
    if (bits < MIN_RSA_BITS)
      return { field: `${field}.n`, message: `This key of ${bits} bits is too weak; give one of at least ${MIN_RSA_BITS}.` }
    return isPair(privateKey, publicJwk) ? { kid, alg, privateKey, publicJwk } : undefined
  } catch {
    // Its message may quote the key.
    return undefined
  }
}

function isPair(privateKey: KeyObject, publicJwk: PublicJwk): boolean {
  const digest = publicJwk.alg === 'EdDSA' ? null : 'sha256'
  const probe = new TextEncoder().encode(publicJwk.kid)
  return verify(digest, probe, createPublicKey({ key: publicJwk, format: 'jwk' }), sign(digest, probe, privateKey))
}
