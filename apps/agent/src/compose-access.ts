import type { Agent } from '@moorage/agent'
import { type Access, ConfigError, loadAccess } from '@moorage/bootstrap'
import { declaredSchemes } from '@moorage/card'
import {
  type Authenticator,
  apiKeys,
  type JwtBearerOptions,
  jwtBearer,
  type SecuritySchemes,
  trustedPerimeter,
} from '@moorage/server/authentication'
import type { AccessConfig } from './access-config.js'
import type { Config } from './config.js'
import type { StartPorts } from './start.js'

/** Who may call, and as whom, with what the card has to say of it. */
export interface ComposedAccess extends Omit<Access, 'authenticate'> {
  /** Empty: everybody may call. */
  readonly authenticators: readonly Authenticator[]
  readonly schemes: SecuritySchemes
}

/**
 * Makes the authenticators of the configuration, those of MOORAGE_ACCESS last.
 * @throws ConfigError that names the variable, or the export of the module, which is wrong
 */
export async function composeAccess(agent: Agent, { access, agentPath }: Config, ports: StartPorts): Promise<ComposedAccess> {
  const { modulePath } = access
  const { authenticate = [], ...own } = modulePath === undefined ? {} : await loadAccess(modulePath, ports.env, ports)
  const authenticators = [...builtIns(access, agent, agentPath), ...authenticate]
  const schemes = Object.assign({}, ...authenticators.map((authenticator) => authenticator.schemes)) as SecuritySchemes
  const count = authenticators.reduce((sum, authenticator) => sum + Object.keys(authenticator.schemes).length, 0)
  const faults = [
    ...(authenticators.length > 0 && count === 0
      ? [
          `MOORAGE_ACCESS: ${modulePath} exports authenticate, of which none has a scheme, so that nobody could call. Add one that knows callers`,
        ]
      : []),
    ...(authenticators.length === 0 && own.mayActFor !== undefined
      ? [
          `MOORAGE_ACCESS: ${modulePath} exports mayActFor, which has no effect: without authentication everybody may act as anybody. Export authenticate too`,
        ]
      : []),
  ]
  if (faults.length > 0) throw new ConfigError(faults)
  return { ...own, authenticators, schemes }
}

function builtIns({ jwt, apiKeys: keys, perimeter }: AccessConfig, agent: Agent, agentPath: string | undefined): readonly Authenticator[] {
  return [
    ...(jwt === undefined ? [] : [jwtBearer(given(jwt) as JwtBearerOptions)]),
    ...(keys === undefined ? [] : [apiKeys(keys)]),
    ...(perimeter === undefined ? [] : [behindProxy(perimeter, declaredSchemes(agent.card, agentPath))]),
  ]
}

function behindProxy({ header, addresses, scheme }: NonNullable<AccessConfig['perimeter']>, declared: SecuritySchemes): Authenticator {
  const enforced = Object.hasOwn(declared, scheme) ? declared[scheme] : undefined
  if (enforced !== undefined) return trustedPerimeter({ header, addresses, schemes: { [scheme]: enforced } })
  const names = Object.keys(declared)
  const there = names.length === 0 ? 'declares no securitySchemes' : `declares ${names.join(', ')}`
  throw new ConfigError([
    `MOORAGE_PERIMETER_SCHEME is ${JSON.stringify(scheme)}, but the agent's card ${there}. Declare there what the proxy asks of its callers, or name what is declared`,
  ])
}

/** Without what is not set: the options would take it for given. */
function given(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
