import type { SecuritySchemeJson } from '@moorage/protocol'
import type { CardInput } from './build-agent-card.js'
import { sourceOf } from './card-source.js'
import { securityOfCard } from './security-schema.js'

/**
 * The security schemes that a card declares itself, by name: for whoever has to enforce one that is described there alone, as a proxy's is. `{}` where
 * there are none, or what is there is wrong, which `buildAgentCard` says.
 * @param modulePath path or file URL of the agent's module, which the path of a card file is relative to
 * @throws {CardError} if there is no such file, or it is written so that its fields cannot be told
 */
export function declaredSchemes(input: CardInput, modulePath?: string): Readonly<Record<string, SecuritySchemeJson>> {
  const parsed = securityOfCard.safeParse(sourceOf(input, modulePath).value)
  return parsed.data?.securitySchemes ?? {}
}
