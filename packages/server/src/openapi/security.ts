import type { AgentCardJson, JsonObject } from '@moorage/protocol'
import { requirementsOf } from '../authentication/requirements.js'

/** OpenAPI 3.1 allows no other flows, and no other fields in them. */
const FLOWS = ['authorizationCode', 'clientCredentials', 'implicit', 'password'] as const
const FLOW_FIELDS = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'scopes'] as const

/** What the card says of security, as OpenAPI says it: the card's words are modelled on it (A2A §4.5). Nothing where it says nothing. */
export function security(card: AgentCardJson) {
  const { securitySchemes = {} } = card
  const schemes = Object.entries(securitySchemes).flatMap(([name, scheme]) => {
    const translated = translate(scheme)
    return translated && /^[\w.-]+$/.test(name) ? [[name, translated] as const] : []
  })
  const known = new Set(schemes.map(([name]) => name))
  const requirements = requirementsOf(card).map(({ schemes: wanted }) =>
    Object.fromEntries(Object.entries(wanted).flatMap(([name, { list = [] }]) => (known.has(name) ? [[name, list]] : []))),
  )
  return {
    schemes: Object.fromEntries(schemes),
    requirements: requirements.filter((requirement) => Object.keys(requirement).length > 0),
  }
}

/** One of the five kinds of the proto's oneof. */
function translate(scheme: JsonObject): JsonObject | undefined {
  const [kind = '', content] = Object.entries(scheme)[0] ?? []
  const { description, ...fields } = Object(content) as JsonObject
  const described = (translated: JsonObject) => ({ ...translated, ...(description !== undefined && { description }) })
  switch (kind) {
    case 'apiKeySecurityScheme':
      return described({ type: 'apiKey', in: fields['location'] ?? 'header', name: fields['name'] ?? '' })
    case 'httpAuthSecurityScheme':
      return described({ type: 'http', ...pick(fields, ['scheme', 'bearerFormat']) })
    case 'oauth2SecurityScheme':
      return described({ type: 'oauth2', flows: flows(Object(fields['flows']) as JsonObject) })
    case 'openIdConnectSecurityScheme':
      return described({ type: 'openIdConnect', ...pick(fields, ['openIdConnectUrl']) })
    case 'mtlsSecurityScheme':
      return described({ type: 'mutualTLS' })
    default:
      return undefined
  }
}

function flows(declared: JsonObject): JsonObject {
  const known = pick(declared, FLOWS)
  return Object.fromEntries(
    Object.entries(known).map(([name, flow]) => [name, { scopes: {}, ...pick(Object(flow) as JsonObject, FLOW_FIELDS) }]),
  )
}

function pick(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}
