import type { AgentCardJson } from '@moorage/protocol'
import canonicalize from 'canonicalize'

/** What a message of a2a.proto has: the fields that stay though they have their default, and those whose content is looked into. */
interface Shape {
  /** Fields that are REQUIRED, or `optional` and thus set as soon as they are there. */
  readonly kept?: readonly string[]
  readonly inner?: Readonly<Record<string, Shape>>
  /** The message is a map, and each of its values has this shape. */
  readonly values?: Shape
}

const STRINGS: Shape = {}
const REQUIREMENT: Shape = { inner: { schemes: { values: STRINGS } } }
const FLOW: Shape = { kept: ['authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'scopes'] }
const OLD_FLOW: Shape = { inner: { scopes: { values: STRINGS } } }

const SECURITY_SCHEME: Shape = {
  inner: {
    apiKeySecurityScheme: { kept: ['location', 'name'] },
    httpAuthSecurityScheme: { kept: ['scheme'] },
    oauth2SecurityScheme: {
      inner: {
        flows: { inner: { authorizationCode: FLOW, clientCredentials: FLOW, deviceCode: FLOW, implicit: OLD_FLOW, password: OLD_FLOW } },
      },
    },
    openIdConnectSecurityScheme: { kept: ['openIdConnectUrl'] },
    mtlsSecurityScheme: {},
  },
}

const CARD: Shape = {
  kept: [
    'name',
    'description',
    'supportedInterfaces',
    'version',
    'documentationUrl',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
    'iconUrl',
  ],
  inner: {
    supportedInterfaces: { kept: ['url', 'protocolBinding', 'protocolVersion'] },
    provider: { kept: ['url', 'organization'] },
    capabilities: { kept: ['streaming', 'pushNotifications', 'extendedAgentCard'], inner: { extensions: {} } },
    securitySchemes: { values: SECURITY_SCHEME },
    securityRequirements: REQUIREMENT,
    skills: { kept: ['id', 'name', 'description', 'tags'], inner: { securityRequirements: REQUIREMENT } },
  },
}

/** The card without the fields that have the default of their kind, which ProtoJSON may leave out and a signature must (A2A §8.4.1). */
export function withoutDefaults(card: AgentCardJson): AgentCardJson {
  return strip(card, CARD) as AgentCardJson
}

/** What a signature of the card is over (A2A §8.4.1): the card without defaults and signatures, in the form of RFC 8785. */
export function canonicalCard(card: AgentCardJson): string {
  return canonicalJson(withoutDefaults(card))
}

/** Any form of a card but its signatures, in the form of RFC 8785. */
export function canonicalJson({ signatures: _, ...card }: { readonly signatures?: unknown }): string {
  return canonicalize(card) ?? ''
}

function strip(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item) => strip(item, shape))
  if (typeof value !== 'object' || value === null) return value
  const { kept = [], inner = {}, values } = shape
  const entries = Object.entries(value).flatMap(([name, field]): readonly [string, unknown][] => {
    const within = values ?? (Object.hasOwn(inner, name) ? inner[name] : undefined)
    if (values === undefined && !kept.includes(name) && isDefault(field, within?.values !== undefined)) return []
    return [[name, within === undefined ? field : strip(field, within)]]
  })
  return Object.fromEntries(entries)
}

function isDefault(value: unknown, isMap: boolean): boolean {
  if (value === '' || value === false || value === 0 || value === null || value === undefined) return true
  return Array.isArray(value) ? value.length === 0 : isMap && Object.keys(value).length === 0
}
