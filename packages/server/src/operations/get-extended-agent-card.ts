import { UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { GetExtendedAgentCardRequestJson } from '@moorage/protocol'
import { withinTenant } from '../tenant.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'

/** GetExtendedAgentCard (A2A §3.1.11): no card of this server declares one. @throws UnsupportedOperationError */
export async function getExtendedAgentCard(
  { card }: OperationContext,
  request: GetExtendedAgentCardRequestJson,
  call: Call,
): Promise<never> {
  withinTenant(call.principal, card, call.tenant, request.tenant)
  throw new UnsupportedOperationError({ message: 'The agent card does not declare an extended agent card' })
}
