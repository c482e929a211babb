import { type AgentCardJson, fieldPath } from '@moorage/protocol'
import { toSkill } from './build-agent-card.js'
import { CardError, type CardFault } from './card-error.js'
import { sourceOfObject } from './card-source.js'
import { checkCard } from './check-card.js'

/** What is the same for every caller, since it says what the server does. */
const FIXED = ['supportedInterfaces', 'capabilities', 'securitySchemes', 'securityRequirements'] as const

/**
 * The card for a caller who is known (A2A §3.1.11): the public card, with other fields in the place of its own. They are checked as those of any card
 * are; addresses, capabilities and security stay what they are.
 * @throws {CardError} naming everything that is wrong with the fields
 */
export function extendAgentCard(card: AgentCardJson, fields: { readonly [field: string]: unknown }): AgentCardJson {
  const faults: readonly CardFault[] = FIXED.filter((name) => Object(fields)[name] !== undefined).map((name) => ({
    field: fieldPath([name]),
    message: 'This is the same for every caller; leave it out, and declare it in the card itself.',
  }))
  if (faults.length > 0) throw new CardError(faults)
  const { skills, ...declared } = checkCard(sourceOfObject(fields))
  const { signatures: _, ...others } = declared
  return { ...card, ...(others as Partial<AgentCardJson>), ...(skills && { skills: skills.map(toSkill) }) }
}
