import type { AgentCardJson, JsonObject, SecurityRequirementJson } from '@moorage/protocol'

/** Names of schemes, all of which a caller must satisfy, each with its scopes. */
export type LegacySecurity = readonly { readonly [scheme: string]: readonly string[] }[]

/** The schemes as A2A 0.3 has them: in the form of OpenAPI, told apart by `type`. */
export function toLegacySchemes(schemes: NonNullable<AgentCardJson['securitySchemes']>): { readonly [scheme: string]: JsonObject } {
  return Object.fromEntries(Object.entries(schemes).map(([name, scheme]) => [name, toLegacyScheme(scheme)]))
}

export function toLegacySecurity(requirements: readonly SecurityRequirementJson[]): LegacySecurity {
  return requirements.map(({ schemes = {} }) => Object.fromEntries(Object.entries(schemes).map(([name, { list = [] }]) => [name, list])))
}

const SCHEMES: Readonly<Record<string, (scheme: JsonObject) => JsonObject>> = {
  apiKeySecurityScheme: ({ location = '', ...scheme }) => ({ type: 'apiKey', in: location, ...scheme }),
  httpAuthSecurityScheme: (scheme) => ({ type: 'http', ...scheme }),
  oauth2SecurityScheme: ({ flows, ...scheme }) => ({ type: 'oauth2', flows: toLegacyFlows(objectOf(flows)), ...scheme }),
  openIdConnectSecurityScheme: (scheme) => ({ type: 'openIdConnect', ...scheme }),
  mtlsSecurityScheme: (scheme) => ({ type: 'mutualTLS', ...scheme }),
}

function toLegacyScheme(scheme: JsonObject): JsonObject {
  const [kind = '', content] = Object.entries(scheme)[0] ?? []
  return SCHEMES[kind]?.(objectOf(content)) ?? {}
}

/** A2A 0.3 knows neither device codes nor PKCE. */
function toLegacyFlows({ deviceCode: _, ...flows }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(flows).map(([name, flow]) => {
      const { pkceRequired: _, ...legacy } = objectOf(flow)
      return [name, { scopes: {}, ...legacy }]
    }),
  )
}

function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {}
}
