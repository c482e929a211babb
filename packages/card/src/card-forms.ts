import type { AgentCardJson } from '@moorage/protocol'
import { withoutDefaults } from './canonical-card.js'
import { type LegacyAgentCardJson, toLegacyCard } from './legacy-card.js'

/** Both cards in one: the fields of 1.0, and those that 0.3 has beside them. */
export type UnionAgentCardJson = AgentCardJson & Omit<LegacyAgentCardJson, keyof AgentCardJson>

/** The forms in which a card is served. */
export interface CardForms {
  /** Strictly A2A 1.0. */
  readonly current: AgentCardJson
  /** Where the card declares interfaces of A2A 0.3: what a client gets that asks for that version, and what one gets that asks for none. */
  readonly older?: { readonly legacy: LegacyAgentCardJson; readonly union: UnionAgentCardJson }
}

/** The forms of a card, unsigned. */
export function cardForms(card: AgentCardJson): CardForms {
  const { signatures: _, ...current } = withoutDefaults(card)
  const legacy = toLegacyCard(current)
  return legacy === undefined ? { current } : { current, older: { legacy, union: unite(current, legacy) } }
}

/** Where both have an object under one name, as skills and security schemes are, it has the fields of both. */
function unite(current: AgentCardJson, legacy: LegacyAgentCardJson): UnionAgentCardJson {
  const { securitySchemes: schemes } = current
  return {
    ...legacy,
    ...current,
    skills: current.skills.map((skill, index) => ({ ...legacy.skills[index], ...skill })),
    ...(schemes !== undefined && {
      securitySchemes: Object.fromEntries(
        Object.entries(schemes).map(([name, scheme]) => [name, { ...legacy.securitySchemes?.[name], ...scheme }]),
      ),
    }),
  }
}
