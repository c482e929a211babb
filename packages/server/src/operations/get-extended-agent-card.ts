import { ExtendedAgentCardNotConfiguredError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { SignedCard } from '@moorage/card'
import { cardForms, type LegacyAgentCardJson } from '@moorage/card/routes'
import type { AgentCardJson, GetExtendedAgentCardRequestJson } from '@moorage/protocol'
import type { Principal } from '@moorage/store'
import { V0_3 } from '../service-parameters.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import { enter } from './enter.js'

/** The card of one caller: the public one with other fields. Where that is signed, what `signCard` of `@moorage/card` made of it. */
export type ExtendCard = (principal: Principal) => AgentCardJson | SignedCard | Promise<AgentCardJson | SignedCard>

/**
 * GetExtendedAgentCard (A2A §3.1.11): the card of this caller, in the form of its version.
 * @throws UnsupportedOperationError unless the card declares one, and ExtendedAgentCardNotConfiguredError if it does and nothing makes it
 */
export async function getExtendedAgentCard(
  context: OperationContext,
  request: GetExtendedAgentCardRequestJson,
  call: Call,
): Promise<AgentCardJson | LegacyAgentCardJson> {
  const principal = await enter(context, call, request)
  if (context.card.capabilities.extendedAgentCard !== true) {
    throw new UnsupportedOperationError({ message: 'The agent card does not declare an extended agent card' })
  }
  if (context.extendCard === undefined) throw new ExtendedAgentCardNotConfiguredError()
  const card = await extend(context.extendCard, principal)
  const { current, older } = 'forms' in card ? card.forms : cardForms(card)
  if (call.version !== V0_3) return current
  if (older !== undefined) return older.legacy
  throw new Error('extendCard returned a card without the interfaces of A2A 0.3 that the public card has')
}

/** Whatever is thrown is a mistake of the server: its words are for the log. */
async function extend(extendCard: ExtendCard, principal: Principal): Promise<AgentCardJson | SignedCard> {
  try {
    return await extendCard(principal)
  } catch (cause) {
    throw new Error('extendCard failed', { cause })
  }
}
