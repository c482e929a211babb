import type { AgentCardJson, SecurityRequirementJson } from '@moorage/protocol'

/** The schemes that a caller has satisfied, each with the scopes that it has there. */
export type Satisfied = ReadonlyMap<string, ReadonlySet<string>>

/** `scopes`: the caller is known as the card asks for, and may not. */
export type Judgement = 'allowed' | 'unauthenticated' | 'scopes'

/** The card's security requirements; where it has schemes alone, each of them is enough. */
export function requirementsOf({ securityRequirements = [], securitySchemes = {} }: AgentCardJson): readonly SecurityRequirementJson[] {
  if (securityRequirements.length > 0) return securityRequirements
  return Object.keys(securitySchemes).map((name) => ({ schemes: { [name]: {} } }))
}

/** Whether one of the card's requirements is satisfied, which takes all of its schemes with all of their scopes (A2A §7.4). */
export function judge(card: AgentCardJson, satisfied: Satisfied): Judgement {
  const known = requirementsOf(card).filter(({ schemes }) => Object.keys(schemes).every((name) => satisfied.has(name)))
  if (known.length === 0) return 'unauthenticated'
  const allowed = known.some(({ schemes }) =>
    Object.entries(schemes).every(([name, { list = [] }]) => list.every((scope) => satisfied.get(name)?.has(scope))),
  )
  return allowed ? 'allowed' : 'scopes'
}
