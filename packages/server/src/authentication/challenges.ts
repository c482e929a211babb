import type { AgentCardJson, SecuritySchemeJson } from '@moorage/protocol'

/**
 * The challenges of a 401 (RFC 9110 §11.6.1): how a caller can be known, by the card's schemes.
 * @throws TypeError for a scheme with characters that no header can say
 */
export function challenges({ securitySchemes = {} }: AgentCardJson, realm: string): readonly string[] {
  const said = Object.entries(securitySchemes).map(([name, scheme]) => {
    const text = challenge(scheme, realm)
    if (SAYABLE.test(text)) return text
    throw new TypeError(
      `createHarness: card.securitySchemes.${name}: Use ASCII letters and signs other than " and \\: callers are told of it in a header.`,
    )
  })
  return [...new Set(said)]
}

/** A name between quotes may have none itself. */
const SAYABLE = /^[!-~]+(?: [\w-]+="[ !#-[\]-~]*",?)+$/

/** Bearer tokens are what OAuth 2.0 and OpenID Connect end in; for API keys and certificates no scheme is registered. */
function challenge(scheme: SecuritySchemeJson, realm: string): string {
  const [kind = '', content] = Object.entries(scheme)[0] ?? []
  const { scheme: http, location, name } = Object(content) as Readonly<Record<string, unknown>>
  if (kind === 'httpAuthSecurityScheme') return `${String(http)} realm="${realm}"`
  if (kind === 'apiKeySecurityScheme') return `ApiKey realm="${realm}", in="${String(location)}", name="${String(name)}"`
  return `${kind === 'mtlsSecurityScheme' ? 'MutualTLS' : 'Bearer'} realm="${realm}"`
}
