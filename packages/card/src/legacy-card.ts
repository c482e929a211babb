import type {
  AgentCardJson,
  AgentCardSignatureJson,
  AgentExtensionJson,
  AgentInterfaceJson,
  AgentSkillJson,
  JsonObject,
} from '@moorage/protocol'
import { type LegacySecurity, toLegacySchemes, toLegacySecurity } from './legacy-security.js'

/** The version of A2A 0.3 that its cards name: in full, unlike those of 1.0. */
const LEGACY_VERSION = '0.3.0'

interface LegacyInterfaceJson {
  readonly url: string
  readonly transport: string
}

interface LegacySkillJson extends Omit<AgentSkillJson, 'securityRequirements'> {
  readonly security?: LegacySecurity
}

/** An AgentCard of A2A 0.3 (its specification, §5.5). */
export interface LegacyAgentCardJson {
  readonly protocolVersion: typeof LEGACY_VERSION
  readonly name: string
  readonly description: string
  readonly version: string
  readonly url: string
  readonly preferredTransport: string
  /** All interfaces but the one at `url`. */
  readonly additionalInterfaces?: readonly LegacyInterfaceJson[]
  readonly capabilities: {
    readonly streaming: boolean
    readonly pushNotifications: boolean
    readonly extensions?: readonly AgentExtensionJson[]
  }
  readonly defaultInputModes: readonly string[]
  readonly defaultOutputModes: readonly string[]
  readonly skills: readonly LegacySkillJson[]
  readonly supportsAuthenticatedExtendedCard: boolean
  readonly provider?: { readonly url: string; readonly organization: string }
  readonly documentationUrl?: string
  readonly iconUrl?: string
  readonly securitySchemes?: { readonly [scheme: string]: JsonObject }
  readonly security?: LegacySecurity
  readonly signatures?: readonly AgentCardSignatureJson[]
}

/** The card's interfaces of A2A 0.3, in its order. */
function legacyInterfaces(card: AgentCardJson): readonly AgentInterfaceJson[] {
  return card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === '0.3')
}

/** The card for clients of A2A 0.3, unsigned; undefined unless the card declares an interface for them. */
export function toLegacyCard(card: AgentCardJson): LegacyAgentCardJson | undefined {
  const [first, ...others] = legacyInterfaces(card)
  if (first === undefined) return undefined
  const { supportedInterfaces: _, capabilities, skills, securitySchemes, securityRequirements, signatures: __, ...shared } = card
  const { extendedAgentCard = false, ...legacyCapabilities } = capabilities
  return {
    protocolVersion: LEGACY_VERSION,
    ...shared,
    url: first.url,
    preferredTransport: first.protocolBinding,
    ...(others.length > 0 && { additionalInterfaces: others.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })) }),
    capabilities: legacyCapabilities,
    skills: skills.map(toLegacySkill),
    supportsAuthenticatedExtendedCard: extendedAgentCard,
    ...(securitySchemes !== undefined && { securitySchemes: toLegacySchemes(securitySchemes) }),
    ...(securityRequirements !== undefined && { security: toLegacySecurity(securityRequirements) }),
  }
}

function toLegacySkill({ securityRequirements, ...skill }: AgentSkillJson): LegacySkillJson {
  return { ...skill, ...(securityRequirements !== undefined && { security: toLegacySecurity(securityRequirements) }) }
}

/** What a client that speaks both versions makes of the 0.3 card: a card of 1.0 with the interfaces of 0.3 alone. */
export function readBack(card: AgentCardJson): AgentCardJson {
  const supportedInterfaces = legacyInterfaces(card).map(({ url, protocolBinding }, index) => ({
    url,
    protocolBinding,
    protocolVersion: index === 0 ? LEGACY_VERSION : '0.3',
  }))
  return {
    ...card,
    supportedInterfaces,
    capabilities: { ...card.capabilities, extendedAgentCard: card.capabilities.extendedAgentCard ?? false },
  }
}
