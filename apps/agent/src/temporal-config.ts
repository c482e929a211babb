import { isIP } from 'node:net'
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig'
import { isLoopback } from './loopback.js'

/** What decides about the engine: the embedded one, or a Temporal server that was there before. */
export type TemporalConfig =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'external'; readonly address: string; readonly namespace: string; readonly connection: ConnectionOptions }

type ConnectionOptions = ClientConnectConfig['connectionOptions']
/** The variables that are set to something. */
type Environment = Readonly<Record<string, string>>

/** Each of these says that there is a Temporal server; the others only say how to talk to one. */
const NAMES_A_SERVER = ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE']

/** Reads Temporal's own environment configuration. The second value has a sentence for each fault. */
export function readTemporalConfig(env: Environment): readonly [TemporalConfig, readonly string[]] {
  if (!NAMES_A_SERVER.some((name) => name in env)) return [{ kind: 'embedded' }, []]
  const loaded = load(env)
  if ('fault' in loaded) return [{ kind: 'embedded' }, [loaded.fault]]
  const { connectionOptions: connection, namespace = 'default' } = loaded.config
  const address = connection.address
  if (address === undefined) {
    return [
      { kind: 'embedded' },
      ['TEMPORAL_PROFILE or TEMPORAL_CONFIG_FILE is set, but names no address: set TEMPORAL_ADDRESS too, or unset them'],
    ]
  }
  return [{ kind: 'external', address, namespace, connection }, isLoopback(hostOf(address)) ? [] : [elsewhere(address)]]
}

/** The variables that are set and mean nothing, since no server is named. */
export function ignoredTemporalVariables(env: Environment, config: TemporalConfig): readonly string[] {
  if (config.kind === 'external') return []
  return Object.keys(env).filter((name) => /^TEMPORAL_(NAMESPACE|API_KEY|TLS|GRPC_META)/.test(name))
}

function load(env: Environment): { readonly config: ClientConnectConfig } | { readonly fault: string } {
  try {
    return { config: loadClientConnectConfig({ overrideEnvVars: { ...env } }) }
  } catch (error) {
    return {
      fault: `Temporal's configuration cannot be read (TEMPORAL_… variables, or the file that they name): ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

function elsewhere(address: string): string {
  return (
    `TEMPORAL_ADDRESS must be on this machine (127.0.0.1, ::1 or localhost), since the tasks are in a SQLite file here; it is ${address}. ` +
    'Unset it to use the embedded engine'
  )
}

/** The host of `host`, `host:port`, `[v6]:port` or a bare IPv6 address. */
function hostOf(address: string): string {
  if (isIP(address) !== 0) return address
  return /^\[(.*)\](:\d+)?$/.exec(address)?.[1] ?? address.replace(/:\d+$/, '')
}
