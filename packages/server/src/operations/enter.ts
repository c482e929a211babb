import type { Principal } from '@moorage/store'
import type { AuthenticationRequest } from '../authentication/authentication-request.js'
import type { Identity } from '../authentication/identity.js'
import { invalidParam, Refusal } from '../errors.js'
import { withinTenant } from '../tenant.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import { type NamingFields, namedParticipant, PARTICIPANT_HEADER } from './named-participant.js'

/** What of a request says for whom it is. */
export interface Addressed extends NamingFields {
  readonly tenant?: string | undefined
}

/** The participant of a caller that is none: a member of no task. */
export const NO_PARTICIPANT = ''

/** @returns the name; undefined where the caller is no participant */
export type ResolveParticipant = (identity: Identity, request: AuthenticationRequest) => string | undefined | Promise<string | undefined>

export type MayActFor = (identity: Identity, participant: string) => boolean | Promise<boolean>

type Participation = Pick<OperationContext, 'agent' | 'card' | 'authenticated' | 'resolveParticipant' | 'mayActFor'>

/**
 * Who acts in an operation: the caller, within the tenant that the request names, as the participant that it is there.
 * @throws InvalidParamsError for a tenant or a participant that nobody can be, Refusal where the caller may not act for the one that it names
 */
export async function enter(context: Participation, call: Call, addressed: Addressed): Promise<Principal> {
  const identity = withinTenant(call.identity, context.card, call.tenant, addressed.tenant)
  const participant = await participantOf(context, call, identity, addressed)
  // Everybody's assignee is nobody's name: whoever could take it would see every task.
  return { ...identity, participant: participant === context.agent.id ? NO_PARTICIPANT : participant }
}

async function participantOf(context: Participation, call: Call, identity: Identity, addressed: Addressed): Promise<string> {
  const { agent, authenticated, resolveParticipant, mayActFor } = context
  if (resolveParticipant) return (await resolveParticipant(identity, call.request)) ?? NO_PARTICIPANT
  const named = namedParticipant(call.participantHeader, addressed)
  if (named === undefined || named === identity.subject) return identity.subject
  if (named === agent.id) throw invalidParam(PARTICIPANT_HEADER, 'Name another participant: this one is the agent itself.')
  if (!authenticated || (await mayActFor?.(identity, named)) === true) return named
  throw new Refusal('PermissionDenied')
}
