import { type AgentCardJson, identifier } from '@moorage/protocol'
import { Refusal } from '../errors.js'
import type { Logger } from '../logger.js'
import type { AuthenticationRequest } from './authentication-request.js'
import type { Authentication, Authenticator, Finding } from './authenticator.js'
import { challenges } from './challenges.js'
import { ANONYMOUS_IDENTITY, type Identity } from './identity.js'
import { judge, type Satisfied } from './requirements.js'

/** When to come again to authentication that could not tell. */
const RETRY_SECONDS = 5
const PLAIN = '1 to 256 characters, without control characters'

export interface AuthenticationOptions {
  readonly authenticators: readonly Authenticator[]
  readonly card: AgentCardJson
  /** What clients are told that the credentials are for. */
  readonly realm: string
  readonly logger: Logger
}

/** What the authenticators have found so far. */
interface Progress {
  readonly identity: Identity | undefined
  readonly satisfied: Satisfied
  readonly rejections: readonly string[]
}

/**
 * Asks all authenticators, in order. The first that knows the caller fixes subject and tenant; those after it add claims and satisfy
 * their schemes, where they mean the same caller. Then the card's security requirements decide (A2A §7.4).
 * @returns the identity of a caller; it throws a Refusal for one that is not known (401), may not (403), or cannot be told (503)
 */
export function createAuthentication(options: AuthenticationOptions): (request: AuthenticationRequest) => Promise<Identity> {
  const challenge = challenges(options.card, options.realm).join(', ')
  return async function authenticate(request) {
    const { identity, satisfied, rejections } = await askAll(options, request)
    const judgement = identity === undefined ? 'unauthenticated' : judge(options.card, satisfied)
    if (identity !== undefined && judgement === 'allowed') return identity
    const { address, method, path } = request
    options.logger.warn?.({ address, method, path, subject: identity?.subject, rejections }, `a caller was refused: ${judgement}`)
    if (judgement === 'scopes') throw new Refusal('PermissionDenied')
    throw new Refusal('Unauthenticated', { challenge })
  }
}

async function askAll(options: AuthenticationOptions, request: AuthenticationRequest): Promise<Progress> {
  let progress: Progress = { identity: undefined, satisfied: new Map(), rejections: [] }
  for (const [index, authenticator] of options.authenticators.entries()) {
    try {
      const finding = await authenticator(request, progress.identity)
      progress = add(progress, authenticator, finding)
    } catch (cause) {
      options.logger.error({ err: cause, authenticator: index }, 'authentication failed: the request is refused')
      throw new Refusal('Unavailable', { retryAfterSeconds: RETRY_SECONDS })
    }
  }
  return progress
}

function add(progress: Progress, { schemes }: Authenticator, finding: Finding): Progress {
  const { identity, satisfied, rejections } = progress
  if (finding === undefined) return progress
  if ('rejected' in finding) return { ...progress, rejections: [...rejections, finding.rejected] }
  const { subject, tenant = '', claims = {}, scopes = [] } = finding
  const names = Object.keys(schemes)
  if (subject !== undefined) requireSubject(subject, tenant, names)
  const known = identity ?? (subject === undefined ? undefined : { tenant, subject, claims: {} })
  // Claims without a caller are nobody's, and those of another caller are not this one's.
  if (known === undefined) return progress
  if (subject !== undefined && (subject !== known.subject || tenant !== known.tenant)) {
    return { ...progress, rejections: [...rejections, 'a credential of another caller'] }
  }
  return {
    identity: Object.freeze({ ...known, claims: Object.freeze({ ...claims, ...known.claims }) }),
    satisfied: new Map([...satisfied, ...names.map((name) => [name, new Set([...(satisfied.get(name) ?? []), ...scopes])] as const)]),
    rejections,
  }
}

/** @throws TypeError for what no caller can be: it is a mistake of the authenticator */
function requireSubject(
  subject: unknown,
  tenant: unknown,
  schemes: readonly string[],
): asserts subject is NonNullable<Authentication['subject']> {
  if (schemes.length === 0) throw new TypeError('an authenticator without schemes named a subject: say which schemes it enforces')
  // Halves of surrogate pairs too: stored, they would all be the same name.
  if (!identifier.safeParse(subject).success || subject === ANONYMOUS_IDENTITY.subject) {
    throw new TypeError(`an authenticator must name a subject of ${PLAIN}, other than ${ANONYMOUS_IDENTITY.subject}`)
  }
  if (tenant !== '' && !identifier.safeParse(tenant).success) {
    throw new TypeError(`an authenticator must name a tenant of ${PLAIN}, or none`)
  }
}
