import type { SecuritySchemeJson } from '@moorage/protocol'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { type Authenticator, defineAuthenticator, type Finding } from './authenticator.js'
import { ASYMMETRIC, checkJwtOptions } from './jwt-options.js'

/** A claim's name, or how to read the value out of all of them. */
export type ClaimReader = string | ((claims: Readonly<JWTPayload>) => string | undefined)

export interface JwtBearerOptions {
  /** What `iss` has to be: one of these. */
  readonly issuer: string | readonly string[]
  /** What `aud` has to name: one of these. */
  readonly audience: string | readonly string[]
  /** The issuer's public keys: the URL of its JWKS (https, or http on this machine), or the set itself. */
  readonly jwks: URL | JSONWebKeySet
  /** The algorithms that are taken, all of them with public keys. @default RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519 */
  readonly algorithms?: readonly string[]
  /** How many seconds the clocks of issuer and server may differ, for `exp` and `nbf`. @default 30 */
  readonly clockSkewSeconds?: number
  /** @default 'sub' */
  readonly subject?: ClaimReader
  /** @default none: callers have no tenant */
  readonly tenant?: ClaimReader
  /** The name of the scheme on the card. @default 'bearer' */
  readonly name?: string
  /** What the card says of it. @default an HTTP authentication scheme, Bearer with the format JWT */
  readonly scheme?: SecuritySchemeJson
  /** For how many milliseconds a fetched JWKS is used. @default 600000 */
  readonly jwksMaxAgeMs?: number
  /** How many milliseconds to wait after a fetch before a key id that is not in the set causes the next one. @default 30000 */
  readonly jwksCooldownMs?: number
  /** @default 5000 */
  readonly jwksTimeoutMs?: number
  /** Fetches the JWKS. @default the global `fetch` */
  readonly fetch?: typeof fetch
  /** @default the system's clock */
  readonly now?: () => Date
}

const CREDENTIALS = /^bearer +(?<token>[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*)$/i

/**
 * Knows callers by a JWT in the Authorization header (RFC 6750, RFC 7519): signed by a key of the issuer's JWKS, for this audience, not expired.
 * `exp` and the subject are required. A key id that is not in the set makes it be fetched once more, at most every `jwksCooldownMs`. While it cannot be
 * fetched, callers with a token are told to come again (503).
 * @throws TypeError that names the option which is wrong
 */
export function jwtBearer(options: JwtBearerOptions): Authenticator {
  checkJwtOptions(options)
  const { name = 'bearer', scheme = { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } } } = options
  const keys = keySet(options)
  return defineAuthenticator({
    schemes: { [name]: scheme },
    async authenticate({ headers }) {
      const authorization = headers.get('Authorization') ?? ''
      if (!/^bearer\b/i.test(authorization)) return undefined
      const token = CREDENTIALS.exec(authorization)?.groups?.['token']
      return token === undefined ? { rejected: 'the bearer token is no JWT' } : verify(token, keys, options)
    },
  })
}

function keySet({
  jwks,
  jwksMaxAgeMs = 600_000,
  jwksCooldownMs = 30_000,
  jwksTimeoutMs = 5000,
  ...options
}: JwtBearerOptions): JWTVerifyGetKey {
  if (!(jwks instanceof URL)) return createLocalJWKSet(jwks)
  return createRemoteJWKSet(jwks, {
    cacheMaxAge: jwksMaxAgeMs,
    cooldownDuration: jwksCooldownMs,
    timeoutDuration: jwksTimeoutMs,
    ...(options.fetch && { [customFetch]: options.fetch }),
  })
}

async function verify(token: string, keys: JWTVerifyGetKey, options: JwtBearerOptions): Promise<Finding> {
  const { issuer, audience, algorithms = ASYMMETRIC, clockSkewSeconds = 30, now } = options
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: [issuer].flat(),
      audience: [audience].flat(),
      algorithms: [...algorithms],
      clockTolerance: clockSkewSeconds,
      requiredClaims: ['exp'],
      ...(now && { currentDate: now() }),
    })
    return findingOf(payload, options)
  } catch (error) {
    const reason = error instanceof errors.JOSEError ? REJECTED[error.code] : undefined
    if (reason === undefined) throw error
    return { rejected: error instanceof errors.JWTClaimValidationFailed ? `${reason}: ${error.claim}` : reason }
  }
}

/** What is wrong with a token; every other error is one of the key set's. */
const REJECTED: Readonly<Record<string, string>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'the algorithm of the token is not taken',
  ERR_JOSE_NOT_SUPPORTED: 'the token has a header that is not supported',
  ERR_JWS_INVALID: 'the token is malformed',
  ERR_JWT_INVALID: 'the token is malformed',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature of the token is wrong',
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'a claim of the token is wrong or missing',
  ERR_JWKS_NO_MATCHING_KEY: 'the key id of the token is not in the JWKS',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'the token names no key id, and several keys of the JWKS fit',
}

function findingOf(claims: JWTPayload, { subject = 'sub', tenant }: JwtBearerOptions): Finding {
  const name = read(claims, subject)
  if (name === undefined) return { rejected: 'the token names no subject' }
  const of = tenant === undefined ? '' : read(claims, tenant)
  if (of === undefined) return { rejected: 'the token names no tenant' }
  return { subject: name, tenant: of, claims, scopes: scopesOf(claims) }
}

function read(claims: JWTPayload, reader: ClaimReader): string | undefined {
  const value: unknown = typeof reader === 'function' ? reader(claims) : claims[reader]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** RFC 8693 has them in one string; others in a list. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  return [scope, scp].flat().flatMap((scopes) => (typeof scopes === 'string' ? scopes.split(' ').filter(Boolean) : []))
}
