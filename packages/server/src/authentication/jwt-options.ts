import { checkOptions, FUNCTION, integer, type Rule } from '../option-rules.js'
import type { JwtBearerOptions } from './jwt-bearer.js'

/** Algorithms whose verifying key may be public. */
export const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const NAMES: Rule = { must: 'be a non-empty string, or a list of them', holds: (value) => isNames([value].flat()) }
const READER: Rule = {
  must: "be a claim's name or a function of the claims",
  holds: (value) => typeof value === 'function' || isNames([value]),
}
const JWKS: Rule = {
  must: 'be a URL object (https, or http on this machine) or a JWK set with at least one key',
  holds: (value) => (value instanceof URL ? isSafe(value) : isSet(value)),
}
const ALGORITHMS: Rule = {
  must: `be a list of ${ASYMMETRIC.join(', ')}: a token whose key is public proves nothing`,
  holds: (value) => Array.isArray(value) && value.length > 0 && value.every((name) => ASYMMETRIC.some((known) => known === name)),
}

const RULES: Readonly<Record<keyof JwtBearerOptions, Rule>> = {
  issuer: NAMES,
  audience: NAMES,
  jwks: JWKS,
  algorithms: ALGORITHMS,
  clockSkewSeconds: integer(0, 300),
  subject: READER,
  tenant: READER,
  name: { must: 'be a non-empty string', holds: (value) => isNames([value]) },
  scheme: { must: 'be a security scheme', holds: (value) => typeof value === 'object' && value !== null },
  jwksMaxAgeMs: integer(1000),
  jwksCooldownMs: integer(0),
  jwksTimeoutMs: integer(1),
  fetch: FUNCTION,
  now: FUNCTION,
}

/** @throws TypeError that names the option which is missing, unknown or wrong */
export function checkJwtOptions(options: JwtBearerOptions): void {
  checkOptions('jwtBearer', RULES, ['issuer', 'audience', 'jwks'], options)
}

function isNames(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every((value) => typeof value === 'string' && value !== '')
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))
}

function isSet(value: unknown): boolean {
  const keys: unknown = Object(value).keys
  return Array.isArray(keys) && keys.length > 0
}
