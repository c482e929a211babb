import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig'
import type { Environment } from './environment.js'
import { isLoopback } from './loopback.js'
import { checkTemporalTls } from './temporal-tls.js'
import { unreadable } from './unreadable.js'

/** What decides about the engine: the embedded one, or a Temporal server that was there before. */
export type TemporalConfig =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'external'; readonly address: string; readonly namespace: string; readonly connection: ConnectionOptions }

type ConnectionOptions = ClientConnectConfig['connectionOptions']

/** Each of these says that there is a Temporal server; the others only say how to talk to one. */
const NAMES_A_SERVER = ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE']

/** Reads Temporal's own environment configuration. The second value has a sentence for each fault. */
export function readTemporalConfig(env: Environment): readonly [TemporalConfig, readonly string[]] {
  if (!NAMES_A_SERVER.some((name) => name in env)) return [{ kind: 'embedded' }, []]
  const named = env['TEMPORAL_ADDRESS']
  const faults = [
    ...(named === undefined ? [] : checkAddress('TEMPORAL_ADDRESS', named)),
    ...checkConfigFile(env),
    ...checkTemporalTls(env),
  ]
  if (faults.length > 0) return [{ kind: 'embedded' }, faults]
  const loaded = load(env)
  if ('fault' in loaded) return [{ kind: 'embedded' }, [loaded.fault]]
  const { connectionOptions: connection, namespace = 'default' } = loaded.config
  const address = connection.address?.trim()
  if (address === undefined) {
    const names = namesOf(env).join(' and ')
    return [{ kind: 'embedded' }, [`${names} name a profile without an address: set TEMPORAL_ADDRESS too, or unset ${names}`]]
  }
  const addressFaults = checkAddress(`The address of the profile ${env['TEMPORAL_PROFILE'] ?? 'default'} in ${configFileOf(env)}`, address)
  if (addressFaults.length > 0) return [{ kind: 'embedded' }, addressFaults]
  return [{ kind: 'external', address, namespace, connection: { ...connection, address } }, []]
}

/** Temporal's library takes a missing port for 7233, and stumbles over the rest when it connects. */
function checkAddress(what: string, text: string): readonly string[] {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^\s:/@?#[\]]+):(\d{1,5})$/.exec(text.trim()) ?? []
  const isHost = host.startsWith('[') ? isIP(host.slice(1, -1)) === 6 : host !== ''
  if (isHost && Number(port) >= 1 && Number(port) <= 65_535) return []
  return [`${what} must be host:port, such as 127.0.0.1:7233, without scheme and path; it is ${JSON.stringify(text)}`]
}

/** Why a Temporal at that address and a store in a file of this machine do not go together; none where they do. */
export function checkSharesMachine(env: Environment, config: TemporalConfig): readonly string[] {
  if (config.kind === 'embedded' || isLoopback(hostOf(config.address))) return []
  const unset = namesOf(env).join(' and ')
  return [
    `Temporal is at ${config.address}, which is not on this machine, and the tasks are in a SQLite file here: ` +
      `set DATABASE_URL to a Postgres database that every process reaches, or unset ${unset} to use the embedded engine`,
  ]
}

/** The variables that are set and mean nothing, since no server is named. */
export function ignoredTemporalVariables(env: Environment, config: TemporalConfig): readonly string[] {
  if (config.kind === 'external') return []
  return Object.keys(env).filter((name) => /^TEMPORAL_(NAMESPACE|API_KEY|TLS|GRPC_META)/.test(name))
}

function namesOf(env: Environment): readonly string[] {
  return NAMES_A_SERVER.filter((name) => name in env)
}

/** Temporal's library takes a file that does not exist for an empty one. */
function checkConfigFile(env: Environment): readonly string[] {
  const path = env['TEMPORAL_CONFIG_FILE']
  if (path === undefined) return []
  try {
    readFileSync(path)
    return []
  } catch (error) {
    return [`TEMPORAL_CONFIG_FILE names ${path}, which ${unreadable(error)}. Give the path of Temporal's configuration file, or unset it`]
  }
}

function load(env: Environment): { readonly config: ClientConnectConfig } | { readonly fault: string } {
  try {
    return { config: loadClientConnectConfig({ overrideEnvVars: { ...env } }) }
  } catch (error) {
    return { fault: describeLoadFault(env, error) }
  }
}

function describeLoadFault(env: Environment, error: unknown): string {
  const where = configFileOf(env)
  const message = error instanceof Error ? error.message : String(error)
  const profile = /^Profile '(.*)' not found/.exec(message)?.[1]
  if (profile !== undefined) return `TEMPORAL_PROFILE is ${profile}, and ${where} has no such profile: add it there, or name another one`
  const line = /line (\d+)/.exec(message)?.[1] ?? (error instanceof Error && 'line' in error ? String(error.line) : undefined)
  const [reason = ''] = message.split('\n')
  return `${where} cannot be used${line === undefined ? '' : ` (line ${line})`}: ${reason}`
}

function configFileOf(env: Environment): string {
  const file = env['TEMPORAL_CONFIG_FILE']
  return file === undefined ? "Temporal's configuration file" : `TEMPORAL_CONFIG_FILE (${file})`
}

/** The host of `host`, `host:port`, `[v6]:port` or a bare IPv6 address. */
function hostOf(address: string): string {
  if (isIP(address) !== 0) return address
  return /^\[(.*)\](:\d+)?$/.exec(address)?.[1] ?? address.replace(/:\d+$/, '')
}
