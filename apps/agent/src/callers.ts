import type { AgentCardJson, JsonObject, SecuritySchemeJson } from '@moorage/protocol'

/** What callers need, in words, and what it adds to a command of curl. */
export interface Credential {
  readonly words: string
  /** Arguments, with variables of a shell in the place of secrets. */
  readonly curl: readonly string[]
  /** For the URL's query. */
  readonly query?: string
}

/** The ways in which the card has callers known; each is enough by itself. Empty: everybody may call. */
export function credentialsOf({ securitySchemes = {}, securityRequirements = [] }: AgentCardJson, issuer?: string): readonly Credential[] {
  return securityRequirements.map(({ schemes }) => {
    const all = Object.keys(schemes).map((name) => credentialOf(name, securitySchemes[name] ?? {}, issuer))
    const query = all.flatMap((credential) => credential.query ?? []).join('&')
    const words = all.map((credential) => credential.words).join(' and ')
    return { words, curl: all.flatMap(({ curl }) => curl), ...(query !== '' && { query }) }
  })
}

function credentialOf(name: string, scheme: SecuritySchemeJson, issuer: string | undefined): Credential {
  const [kind = '', content] = Object.entries(scheme)[0] ?? []
  const fields = Object(content) as JsonObject
  if (kind === 'apiKeySecurityScheme') return apiKey(String(fields['location']), String(fields['name']))
  if (kind === 'mtlsSecurityScheme') return { words: 'a client certificate', curl: ['--cert "$CERTIFICATE"'] }
  const http = kind === 'httpAuthSecurityScheme' ? String(fields['scheme']) : 'Bearer'
  if (http.toLowerCase() === 'basic') return { words: 'a user name and a password', curl: ['-u "$USER_AND_PASSWORD"'] }
  if (http.toLowerCase() !== 'bearer')
    return { words: `credentials of ${http} (${name})`, curl: [`-H "Authorization: ${http} $CREDENTIALS"`] }
  return { words: `a bearer token${issuer === undefined ? '' : ` of ${issuer}`}`, curl: ['-H "Authorization: Bearer $TOKEN"'] }
}

function apiKey(location: string, name: string): Credential {
  const words = `an API key in the ${location === 'query' ? 'query parameter' : location} ${name}`
  if (location === 'query') return { words, curl: [], query: `${name}=$API_KEY` }
  return { words, curl: [location === 'cookie' ? `-b "${name}=$API_KEY"` : `-H "${name}: $API_KEY"`] }
}
