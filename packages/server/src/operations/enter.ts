import { auditRefusal } from '@moorage/inbox/receive'
import { identifier } from '@moorage/protocol'
import type { Principal } from '@moorage/store'
import type { AuthenticationRequest } from '../authentication/authentication-request.js'
import type { Identity } from '../authentication/identity.js'
import { invalidParam, Refusal } from '../errors.js'
import { withinTenant } from '../tenant.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import { type NamingFields, namedParticipant } from './named-participant.js'

/** What of a request says for whom it is. */
export interface Addressed extends NamingFields {
  readonly tenant?: string | undefined
}

/** What the audit says that was refused: an operation on a task, or a message. */
export interface Audited {
  readonly operation: string
  readonly taskId?: string | undefined
}

/** What is told of an id or a name that looks like a secret. */
export const SECRET_ID = 'This looks like a secret, and would be recorded: give another one.'

/** The participant of a caller that is none: a member of no task. */
export const NO_PARTICIPANT = ''

/** @returns the name; undefined where the caller is no participant */
export type ResolveParticipant = (identity: Identity, request: AuthenticationRequest) => string | undefined | Promise<string | undefined>

export type MayActFor = (identity: Identity, participant: string) => boolean | Promise<boolean>

type Participation = Pick<OperationContext, 'agent' | 'card' | 'store' | 'redactor' | 'authenticated' | 'resolveParticipant' | 'mayActFor'>

/**
 * Who acts in an operation: the caller, within the tenant that the request names, as the participant that it is there. One who may not act for the
 * participant that it names is told so after the audit has been, where there is anything to audit.
 * @throws InvalidParamsError for a tenant or a participant that nobody can be, Refusal where the caller may not act for the one that it names
 */
export async function enter(context: Participation, call: Call, addressed: Addressed, audited?: Audited): Promise<Principal> {
  const identity = withinTenant(call.identity, context.card, call.tenant, addressed.tenant)
  const { participant, allowed } = await participantOf(context, call, identity, addressed)
  if (!allowed) await refuseParticipant(context, { ...identity, participant }, 'may-not-act-for', audited)
  // Everybody's assignee is nobody's name: whoever could take it would see every task.
  return { ...identity, participant: participant === context.agent.id ? NO_PARTICIPANT : participant }
}

/** Refuses what only a participant may do. @throws Refusal for a caller that is none */
export async function requireParticipant(context: Participation, principal: Principal, audited: Audited): Promise<void> {
  if (principal.participant === NO_PARTICIPANT) await refuseParticipant(context, principal, 'no-participant', audited)
}

async function refuseParticipant(
  { store, agent }: Participation,
  principal: Principal,
  reason: 'may-not-act-for' | 'no-participant',
  audited: Audited | undefined,
): Promise<never> {
  if (audited) await auditRefusal(store, { ...audited, agent: agent.id, principal, reason })
  throw new Refusal('PermissionDenied')
}

/** The participant that the caller is or wants to be, and whether it may. */
async function participantOf(context: Participation, call: Call, identity: Identity, addressed: Addressed) {
  const { agent, authenticated, redactor, resolveParticipant, mayActFor } = context
  if (resolveParticipant) return { participant: resolved(await resolveParticipant(identity, call.request)), allowed: true }
  const named = namedParticipant(call, addressed)
  // Read out of its header only here: UTF-8 may say what its bytes do not.
  if (named && redactor.isSecret(named.name)) throw invalidParam(named.field, SECRET_ID)
  const participant = named?.name ?? identity.subject
  if (named === undefined || participant === identity.subject) return { participant, allowed: true }
  if (participant === agent.id) throw invalidParam(named.field, 'Name another participant: this one is the agent itself.')
  return { participant, allowed: !authenticated || (await mayActFor?.(identity, participant)) === true }
}

/** @throws TypeError for what is no name: a mistake of the resolver, and so of the server */
function resolved(participant: unknown): string {
  if (participant === undefined) return NO_PARTICIPANT
  const name = identifier.safeParse(participant)
  if (name.success) return name.data
  throw new TypeError('resolveParticipant must return undefined or a name: 1 to 256 characters, without control characters')
}
