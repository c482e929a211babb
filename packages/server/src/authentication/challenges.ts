import type { AgentCardJson, SecuritySchemeJson } from '@moorage/protocol'

/** The challenges of a 401 (RFC 9110 §11.6.1): how a caller can be known, by the card's schemes. */
export function challenges({ securitySchemes = {} }: AgentCardJson, realm: string): readonly string[] {
  return [...new Set(Object.values(securitySchemes).map((scheme) => challenge(scheme, realm)))]
}

/** Bearer tokens are what OAuth 2.0 and OpenID Connect end in; for API keys and certificates no scheme is registered. */
function challenge(scheme: SecuritySchemeJson, realm: string): string {
  const [kind = '', content] = Object.entries(scheme)[0] ?? []
  const { scheme: http, location, name } = Object(content) as Readonly<Record<string, unknown>>
  if (kind === 'httpAuthSecurityScheme') return `${String(http)} realm="${realm}"`
  if (kind === 'apiKeySecurityScheme') return `ApiKey realm="${realm}", in="${String(location)}", name="${String(name)}"`
  return `${kind === 'mtlsSecurityScheme' ? 'MutualTLS' : 'Bearer'} realm="${realm}"`
}
