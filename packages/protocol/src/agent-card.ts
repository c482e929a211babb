import type { JsonObject } from './task.js'

/** One address of the agent (A2A §4.4.6); `protocolVersion` is Major.Minor. */
export interface AgentInterfaceJson {
  readonly url: string
  readonly protocolBinding: string
  readonly protocolVersion: string
  readonly tenant?: string
}

/** An extension of the protocol that the agent declares (A2A §4.4.4). */
export interface AgentExtensionJson {
  readonly uri: string
  readonly description?: string
  readonly required?: boolean
  readonly params?: JsonObject
}

/** What the server does beyond the plain operations (A2A §4.4.3). */
export interface AgentCapabilitiesJson {
  readonly streaming: boolean
  readonly pushNotifications: boolean
  readonly extendedAgentCard?: boolean
  readonly extensions?: readonly AgentExtensionJson[]
}

/** A scheme of one of five kinds (A2A §4.5), by the name that the proto has for the kind, such as `apiKeySecurityScheme`. */
export type SecuritySchemeJson = JsonObject

/** Schemes by name, all of which a caller must satisfy, each with its scopes (A2A §7.4). */
export interface SecurityRequirementJson {
  readonly schemes: { readonly [scheme: string]: { readonly list?: readonly string[] } }
}

/** Something that the agent can do (A2A §4.4.5). */
export interface AgentSkillJson {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly examples?: readonly string[]
  readonly inputModes?: readonly string[]
  readonly outputModes?: readonly string[]
  readonly securityRequirements?: readonly SecurityRequirementJson[]
}

/** A JWS over the card's canonical form (A2A §8.4). */
export interface AgentCardSignatureJson {
  readonly protected: string
  readonly signature: string
  readonly header?: JsonObject
}

/** An AgentCard in ProtoJSON (A2A §4.4.1), its required lists present even where they are empty. */
export interface AgentCardJson {
  readonly name: string
  readonly description: string
  readonly supportedInterfaces: readonly AgentInterfaceJson[]
  readonly version: string
  readonly capabilities: AgentCapabilitiesJson
  readonly defaultInputModes: readonly string[]
  readonly defaultOutputModes: readonly string[]
  readonly skills: readonly AgentSkillJson[]
  readonly provider?: { readonly url: string; readonly organization: string }
  readonly documentationUrl?: string
  readonly iconUrl?: string
  readonly securitySchemes?: { readonly [scheme: string]: SecuritySchemeJson }
  readonly securityRequirements?: readonly SecurityRequirementJson[]
  readonly signatures?: readonly AgentCardSignatureJson[]
}
