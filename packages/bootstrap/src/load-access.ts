import type { MayActFor, ResolveParticipant } from '@moorage/server'
import { type Authenticator, isAuthenticator } from '@moorage/server/authentication'
import { ConfigError } from './config-error.js'
import type { RawEnvironment } from './environment.js'
import { type LoadOptions, loadModule, property } from './load-module.js'

/** What a module says of who may call, and as whom: all of it optional. */
export interface Access {
  readonly authenticate?: readonly Authenticator[]
  readonly resolveParticipant?: ResolveParticipant
  readonly mayActFor?: MayActFor
}

const FUNCTION = { must: 'a function', holds: (value: unknown) => typeof value === 'function' }
const EXPORTS: Readonly<Record<keyof Access, { readonly must: string; readonly holds: (value: unknown) => boolean }>> = {
  authenticate: {
    must: 'a list of at least one authenticator, each made by defineAuthenticator, jwtBearer, apiKeys or trustedPerimeter of @moorage/server/authentication',
    holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isAuthenticator),
  },
  resolveParticipant: FUNCTION,
  mayActFor: FUNCTION,
}

/**
 * Imports the module that MOORAGE_ACCESS names, as `loadAgent` does that of an agent.
 * @throws ConfigError that says why it cannot be loaded, or names each of its exports that is wrong.
 */
export async function loadAccess(path: string, env: RawEnvironment, options: LoadOptions = {}): Promise<Access> {
  const given = exportsOf(await loadModule('MOORAGE_ACCESS', path, env, options))
  const names = Object.keys(EXPORTS).join(', ')
  const faults = Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(EXPORTS, name)) return [`MOORAGE_ACCESS: ${path} exports ${name}, which has no effect. Export ${names} alone`]
    const { must, holds } = EXPORTS[name as keyof Access]
    return holds(value) ? [] : [`MOORAGE_ACCESS: ${path} exports ${name}, which must be ${must}`]
  })
  if (Object.keys(given).length === 0) faults.push(`MOORAGE_ACCESS: ${path} exports nothing. Export at least one of ${names}`)
  if (faults.length > 0) throw new ConfigError(faults)
  return given
}

/** By name, as an ES module has them, or under the default export, as a CommonJS module does. */
function exportsOf(module: unknown): Readonly<Record<string, unknown>> {
  const main = property(module, 'default')
  const byName = Object.entries(Object(main) as object).concat(Object.entries(module as object))
  const given = byName.filter(([name]) => !['default', 'module.exports', '__esModule'].includes(name))
  return Object.fromEntries(typeof main === 'function' ? [['default', main], ...given] : given)
}
