import type { AgentCardJson } from '@moorage/protocol'
import type { Context } from 'hono'
import type { Identity } from './authentication/identity.js'
import { invalidParam } from './errors.js'

/**
 * The tenant that a request's URL names, by its path and its query; `''` for none.
 * @throws InvalidParamsError where they name several
 */
export function tenantOfUrl({ req }: Context, path = ''): string {
  const [tenant = '', ...others] = new Set([path, ...(req.queries('tenant') ?? [])].filter((name) => name !== ''))
  if (others.length > 0) throw invalidParam('tenant', 'Name one tenant: the URL has several.')
  return tenant
}

/**
 * The caller within the tenant that the request's URL or body names. A caller whose authentication gave it a tenant has that one and no
 * other; everybody else may name one that an interface of the card declares.
 * @throws InvalidParamsError for any other tenant, and where URL and body differ.
 */
export function withinTenant(identity: Identity, card: AgentCardJson, url: string, body = ''): Identity {
  if (url !== '' && body !== '' && url !== body) throw invalidParam('tenant', 'Name one tenant: it differs from the one in the URL.')
  const tenant = url || body || identity.tenant
  if (tenant === identity.tenant) return identity
  const declared = card.supportedInterfaces.some((entry) => entry.tenant === tenant)
  if (identity.tenant === '' && declared) return { ...identity, tenant }
  throw invalidParam('tenant', 'Name a tenant that an interface of the agent card declares, or none.')
}
