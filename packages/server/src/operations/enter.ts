import type { Principal } from '@moorage/store'
import { withinTenant } from '../tenant.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'

/** What of a request says for whom it is. */
export interface Addressed {
  readonly tenant?: string | undefined
}

/** Who acts in an operation: the caller, within the tenant that the request names, as the participant that it is there. */
export async function enter({ card }: Pick<OperationContext, 'card'>, call: Call, { tenant }: Addressed): Promise<Principal> {
  const identity = withinTenant(call.identity, card, call.tenant, tenant)
  return { participant: identity.subject, ...identity }
}
