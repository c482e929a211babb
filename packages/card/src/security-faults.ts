import { type AgentCardJson, fieldPath, type JsonObject, type SecuritySchemeJson } from '@moorage/protocol'
import type { CardFault } from './card-error.js'

/** What of a card says how callers are known. */
export type DeclaredSecurity = Pick<AgentCardJson, 'securitySchemes' | 'securityRequirements'>

type SecuritySchemes = Readonly<Record<string, SecuritySchemeJson>>

/** A fault whose place is yet to be found. */
export interface SecurityIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What a card says of its callers: what it declares, else what is enforced. Schemes without requirements are each enough by themselves. */
export function withEnforced(
  { securitySchemes = {}, securityRequirements = [] }: DeclaredSecurity,
  enforced: SecuritySchemes,
): DeclaredSecurity {
  const schemes = Object.keys(securitySchemes).length > 0 ? securitySchemes : enforced
  const names = Object.keys(schemes)
  const requirements = securityRequirements.length > 0 ? securityRequirements : names.map((name) => ({ schemes: { [name]: {} } }))
  return {
    ...(names.length > 0 && { securitySchemes: schemes }),
    ...(requirements.length > 0 && { securityRequirements: requirements }),
  }
}

/**
 * Where the security that a card declares is not the one that is enforced (A2A §7.4): each scheme that it names must be enforced under the same name and
 * mean the same, and each that is enforced must be on it.
 * @param enforced the schemes that authentication enforces, by their names on the card; `{}` where everybody may call
 */
export function securityFaults(card: DeclaredSecurity, enforced: SecuritySchemes): readonly CardFault[] {
  return securityIssues(card, enforced).map(({ path, message }) => ({ field: fieldPath(path), message }))
}

export function securityIssues(card: DeclaredSecurity, enforced: SecuritySchemes): readonly SecurityIssue[] {
  return [...schemeIssues(card, enforced), ...requirementIssues(card)]
}

function schemeIssues({ securitySchemes = {} }: DeclaredSecurity, enforced: SecuritySchemes): readonly SecurityIssue[] {
  const ofDeclared = Object.entries(securitySchemes).flatMap(([name, declared]): readonly SecurityIssue[] => {
    const path = ['securitySchemes', name]
    const own = Object.hasOwn(enforced, name) ? enforced[name] : undefined
    if (own === undefined) {
      const message = 'The card claims a security scheme that nothing here enforces; configure authentication for it, or leave it out.'
      return [{ path, message }]
    }
    if (meansTheSame(declared, own)) return []
    return [{ path, message: `The card says ${show(declared)}, but what is enforced is ${show(own)}; make the two the same.` }]
  })
  const hidden = Object.keys(enforced).filter((name) => !Object.hasOwn(securitySchemes, name))
  const ofHidden = hidden.map((name) => ({
    path: ['securitySchemes'],
    message: `The card hides the security scheme ${JSON.stringify(name)}, which is enforced; add ${name}: ${show(enforced[name] ?? {})}.`,
  }))
  return [...ofDeclared, ...ofHidden]
}

function requirementIssues({ securitySchemes = {}, securityRequirements = [] }: DeclaredSecurity): readonly SecurityIssue[] {
  return securityRequirements.flatMap(({ schemes }, index): readonly SecurityIssue[] => {
    const names = Object.keys(schemes)
    const path = ['securityRequirements', index]
    if (names.length === 0) {
      return [{ path, message: 'The requirement asks for nothing, so that anybody could call; name a scheme, or leave it out.' }]
    }
    return names
      .filter((name) => !Object.hasOwn(securitySchemes, name))
      .map((name) => ({ path: [...path, 'schemes', name], message: 'No such scheme is in securitySchemes; name one that is.' }))
  })
}

/** OAuth 2.0 and OpenID Connect end in a bearer token, whatever the way to it is: who checks that token enforces them too. */
function meansTheSame(declared: SecuritySchemeJson, enforced: SecuritySchemeJson): boolean {
  return meaningOf(declared) === meaningOf(enforced) || (isBearer(declared) && isPlainBearer(enforced))
}

function isBearer(scheme: SecuritySchemeJson): boolean {
  const [kind] = Object.keys(scheme)
  return kind === 'oauth2SecurityScheme' || kind === 'openIdConnectSecurityScheme' || isPlainBearer(scheme)
}

function isPlainBearer({ httpAuthSecurityScheme }: SecuritySchemeJson): boolean {
  return String((httpAuthSecurityScheme as JsonObject | undefined)?.['scheme']).toLowerCase() === 'bearer'
}

/** Without what is there to be read alone. */
function meaningOf(scheme: SecuritySchemeJson): string {
  const [kind = '', content] = Object.entries(scheme)[0] ?? []
  const { description: _, bearerFormat: __, ...fields } = Object(content) as JsonObject
  const http = kind === 'httpAuthSecurityScheme' ? { scheme: String(fields['scheme']).toLowerCase() } : {}
  return JSON.stringify([kind, Object.entries({ ...fields, ...http }).sort(([a], [b]) => (a < b ? -1 : 1))])
}

function show(scheme: SecuritySchemeJson): string {
  return JSON.stringify(scheme)
}
