import { optional, secret, type Variables } from '@moorage/bootstrap'
import { z } from 'zod'
import { apiKeyList, apiKeyPlace, jwksUrl, jwtAlgorithms, perimeterAddresses, perimeterHeader } from './access-values.js'

/** Who may call, as the environment says it: the rows of the configuration table. */
export const ACCESS_VARIABLES = {
  MOORAGE_JWT_ISSUER: optional(
    '(no bearer tokens)',
    'Issuer of the JWTs that callers send as bearer tokens, exactly as their iss has it',
    z.string(),
  ),
  MOORAGE_JWT_AUDIENCE: optional(
    '(needed with MOORAGE_JWT_ISSUER)',
    'What the aud of such a token must have: the name of this server at the issuer',
    z.string(),
  ),
  MOORAGE_JWT_JWKS_URL: optional(
    '(needed with MOORAGE_JWT_ISSUER)',
    "URL of the issuer's public keys; https, or http on this machine",
    jwksUrl,
  ),
  MOORAGE_JWT_ALGORITHMS: optional(
    '(all with public keys)',
    'Algorithms that a token may be signed with, such as RS256,ES256',
    jwtAlgorithms,
  ),
  MOORAGE_JWT_TENANT_CLAIM: optional(
    '(callers have no tenant)',
    'Claim that names the tenant of a caller; a token without it is refused',
    z.string(),
  ),
  MOORAGE_API_KEYS: secret(
    '(no API keys)',
    'Callers with API keys, and the SHA-256 of each key in hex: subject:hash,subject@tenant:hash; a subject may have several',
    apiKeyList,
  ),
  MOORAGE_API_KEY_IN: optional(
    '(header:X-API-Key)',
    'Where a caller puts its API key: header:NAME, query:NAME or cookie:NAME',
    apiKeyPlace,
  ),
  MOORAGE_PERIMETER_HEADER: optional(
    '(no proxy is trusted)',
    'Header in which a proxy in front names the caller; the proxy must replace what clients send in it',
    perimeterHeader,
  ),
  MOORAGE_PERIMETER_ADDRESSES: optional(
    '(needed with MOORAGE_PERIMETER_HEADER)',
    'Addresses of the proxy, from which alone the header counts, such as 10.0.0.7,10.1.0.0/24',
    perimeterAddresses,
  ),
  MOORAGE_PERIMETER_SCHEME: optional(
    '(needed with MOORAGE_PERIMETER_HEADER)',
    "Which of the securitySchemes in the agent's card the proxy enforces, by its name there",
    z.string(),
  ),
  MOORAGE_ACCESS: optional(
    '(none)',
    'Path of a module, TypeScript or JavaScript, that exports authenticate (a list, asked after the above), resolveParticipant or mayActFor',
    z.string(),
  ),
} satisfies Variables
