import type { AgentCardJson, AgentInterfaceJson, AgentSkillJson, SecuritySchemeJson } from '@moorage/protocol'
import type { AllowedClaims, DeclaredCard } from './card-schema.js'
import { sourceOf } from './card-source.js'
import { checkCard } from './check-card.js'
import { addressFault } from './interface-path.js'
import { withEnforced } from './security-faults.js'

/** A card's fields in the AgentCard's own names (A2A §4.4.1), or the path of an `agent-card.yaml` that holds them. */
export type CardInput = string | { readonly [field: string]: unknown }

export interface BuildCardOptions {
  /** Id of the agent: the card's name where it declares none. */
  readonly agentId: string
  /** Public URL under which the server is mounted, such as `https://agents.example.com/support`. A card that lists interfaces has nothing of it. */
  readonly baseUrl: string
  /** Path or file URL of the agent's module, which the path of a card file is relative to. */
  readonly modulePath?: string
  /** Media types that the agent takes. @default ['text/plain'] */
  readonly inputModes?: readonly string[]
  /** The agent's commands by name: each becomes a skill where the card declares no skills. */
  readonly commands?: { readonly [name: string]: { readonly description: string } }
  /** What the card may claim because whoever builds it serves it; everything else that not every server does is refused. @default nothing */
  readonly allow?: AllowedClaims
  /**
   * The security schemes that are enforced, by name: the `schemes` of the authenticators. A card that declares none says these, each enough by
   * itself; one that declares some must declare these and no others. @default none: everybody may call
   */
  readonly schemes?: Readonly<Record<string, SecuritySchemeJson>>
}

const OUTPUT_MODES = ['text/plain', 'application/json'] as const

/**
 * The whole card of an agent: what was declared, and a default for everything else.
 * @throws {CardError} naming everything that is wrong with the card at once, claims that this server does not keep included
 * @throws {TypeError} if `baseUrl` is no address
 */
export function buildAgentCard(input: CardInput, options: BuildCardOptions): AgentCardJson {
  const fault = addressFault(options.baseUrl)
  if (fault !== undefined) throw new TypeError(`buildAgentCard: baseUrl: ${fault}`)
  return complete(checkCard(sourceOf(input, options.modulePath), options), options)
}

function complete(declared: DeclaredCard, options: BuildCardOptions): AgentCardJson {
  const { name = options.agentId, provider, documentationUrl, iconUrl } = declared
  const description = declared.description ?? `The agent ${name}.`
  return {
    name,
    description,
    supportedInterfaces: declared.supportedInterfaces ?? defaultInterfaces(options.baseUrl),
    version: declared.version ?? '0.0.0',
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, ...declared.capabilities },
    defaultInputModes: declared.defaultInputModes ?? options.inputModes ?? ['text/plain'],
    defaultOutputModes: declared.defaultOutputModes ?? OUTPUT_MODES,
    skills: declared.skills?.map(toSkill) ?? defaultSkills(name, description, options),
    ...(provider !== undefined && { provider }),
    ...(documentationUrl !== undefined && { documentationUrl }),
    ...(iconUrl !== undefined && { iconUrl }),
    ...withEnforced(declared, options.schemes ?? {}),
  }
}

function defaultInterfaces(baseUrl: string): readonly AgentInterfaceJson[] {
  const url = `${baseUrl.replace(/\/$/, '')}/a2a`
  return [
    { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ]
}

/** An empty list of requirements, the only one that can be declared, says nothing. */
export function toSkill({ securityRequirements: _, ...skill }: NonNullable<DeclaredCard['skills']>[number]): AgentSkillJson {
  return skill
}

function defaultSkills(name: string, description: string, { agentId, commands = {} }: BuildCardOptions): readonly AgentSkillJson[] {
  const ofCommands = Object.entries(commands).map(([command, { description: purpose }]) => ({
    id: `command-${command}`,
    name: `/${command}`,
    description: purpose,
    tags: ['command'],
    examples: [`/${command}`],
  }))
  return [{ id: agentId, name, description, tags: ['agent'] }, ...ofCommands]
}
