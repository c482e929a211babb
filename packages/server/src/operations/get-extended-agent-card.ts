import { ExtendedAgentCardNotConfiguredError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { GetExtendedAgentCardRequestJson } from '@moorage/protocol'
import { withinTenant } from '../tenant.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'

/**
 * GetExtendedAgentCard (A2A §3.1.11). Who may see such a card is a question that this server cannot ask yet, so it has none.
 * @throws UnsupportedOperationError unless the card declares one, and ExtendedAgentCardNotConfiguredError if it does
 */
export async function getExtendedAgentCard(
  { card }: OperationContext,
  request: GetExtendedAgentCardRequestJson,
  call: Call,
): Promise<never> {
  withinTenant(call.principal, card, call.tenant, request.tenant)
  if (card.capabilities.extendedAgentCard === true) throw new ExtendedAgentCardNotConfiguredError()
  throw new UnsupportedOperationError({ message: 'The agent card does not declare an extended agent card' })
}
