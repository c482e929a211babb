import { ExtendedAgentCardNotConfiguredError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { GetExtendedAgentCardRequestJson } from '@moorage/protocol'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import { enter } from './enter.js'

/**
 * GetExtendedAgentCard (A2A §3.1.11). Who may see such a card is a question that this server cannot ask yet, so it has none.
 * @throws UnsupportedOperationError unless the card declares one, and ExtendedAgentCardNotConfiguredError if it does
 */
export async function getExtendedAgentCard(
  context: OperationContext,
  request: GetExtendedAgentCardRequestJson,
  call: Call,
): Promise<never> {
  await enter(context, call, request)
  if (context.card.capabilities.extendedAgentCard === true) throw new ExtendedAgentCardNotConfiguredError()
  throw new UnsupportedOperationError({ message: 'The agent card does not declare an extended agent card' })
}
