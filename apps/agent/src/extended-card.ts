import type { Agent } from '@moorage/agent'
import { ConfigError } from '@moorage/bootstrap'
import { extendAgentCard, type SignedCard } from '@moorage/card'
import type { AgentCardJson } from '@moorage/protocol'
import type { ExtendCard } from '@moorage/server'

/** Signs a card where the configuration has keys. */
export type Sign = (card: AgentCardJson) => Promise<SignedCard | undefined>

/**
 * The extended cards of the agent's callers; undefined where the card declares none.
 * @throws ConfigError where it declares one that nobody could get
 */
export function extendedCards(agent: Agent, card: AgentCardJson, isAuthenticated: boolean, sign: Sign): ExtendCard | undefined {
  if (card.capabilities.extendedAgentCard !== true) return undefined
  const { extendCard } = agent
  const faults = [
    ...(isAuthenticated
      ? []
      : ['callers have to be known: set MOORAGE_JWT_ISSUER, MOORAGE_API_KEYS, MOORAGE_PERIMETER_HEADER or MOORAGE_ACCESS']),
    ...(extendCard === undefined ? ['the agent has to make it: give defineAgent an extendCard(principal)'] : []),
  ].map((remedy) => `The card declares capabilities.extendedAgentCard, for which ${remedy}, or leave it out of the card`)
  if (extendCard === undefined || faults.length > 0) throw new ConfigError(faults)
  return async (principal) => {
    const extended = extendAgentCard(card, await extendCard(principal))
    return (await sign(extended)) ?? extended
  }
}
