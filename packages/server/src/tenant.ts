import type { AgentCardJson } from '@moorage/protocol'
import type { Principal } from '@moorage/store'
import { invalidParam } from './errors.js'

/**
 * The caller within the tenant that the request's path or body names. A caller whose authentication gave it a tenant has that one and no
 * other; everybody else may name one that an interface of the card declares.
 * @throws InvalidParamsError for any other tenant, and where path and body differ.
 */
export function withinTenant(principal: Principal, card: AgentCardJson, path: string, body = ''): Principal {
  if (path !== '' && body !== '' && path !== body) throw invalidParam('tenant', 'Name one tenant: it differs from the one in the path.')
  const tenant = path || body || principal.tenant
  if (tenant === principal.tenant) return principal
  const declared = card.supportedInterfaces.some((entry) => entry.tenant === tenant)
  if (principal.tenant === '' && declared) return { ...principal, tenant }
  throw invalidParam('tenant', 'Name a tenant that an interface of the agent card declares, or none.')
}
