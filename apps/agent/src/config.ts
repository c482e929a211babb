import { resolve } from 'node:path'
import {
  ConfigError,
  checkHost,
  checkModuleFile,
  checkTemporalCli,
  configuredSecrets,
  type Environment,
  environmentOf,
  type NamedKey,
  type RawEnvironment,
  readSharedConfig,
  readVariables,
  type Settings,
  type SharedConfig,
  settingsOf,
  unknownVariables,
} from '@moorage/bootstrap'
import type { CardKey } from '@moorage/card'
import { type AccessConfig, accessOf, checkAccess, isGuarded } from './access-config.js'
import { AGENT_VARIABLES, KNOWN_VARIABLES, WORKER_ONLY } from './config-variables.js'
import { warnOfExposure } from './exposure.js'

type AgentSettings = Settings<typeof AGENT_VARIABLES>

/** The whole configuration of apps/agent. Paths are absolute, times in milliseconds. */
export interface Config extends SharedConfig {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Without a slash at its end. Undefined: that of the address it listens on. */
  readonly baseUrl: string | undefined
  /** Empty: the card is not signed. */
  readonly cardKeys: readonly CardKey[]
  /** Undefined: the built-in agent. */
  readonly agentPath: string | undefined
  readonly access: AccessConfig
  /** Whether turns and commands run in this process. */
  readonly runsWorker: boolean
  readonly ratePerMinute: number
  readonly streamsPerPeer: number
  readonly maxStreams: number
  readonly maxRequestBytes: number
  readonly blockingTimeoutMs: number
  readonly maxWaiting: number
  readonly drainDelayMs: number
  /** Undefined: those of a file in the data folder, where the tasks are there too. */
  readonly pushKeys: readonly NamedKey[] | undefined
  readonly temporalCli: string | undefined
  /** What neither the log nor a task may have. */
  readonly secrets: readonly string[]
  /** What is odd but no reason not to start: a sentence each. */
  readonly warnings: readonly string[]
}

/**
 * Reads the configuration from the environment, once, and looks whether what it names is there. A variable that is set to nothing counts as not
 * set; relative paths are relative to `cwd`.
 * @throws ConfigError with every fault.
 */
export async function readConfig(environment: RawEnvironment, cwd: string): Promise<Config> {
  const env = environmentOf(environment)
  const reading = readVariables(AGENT_VARIABLES, env)
  const shared = await readSharedConfig(env, cwd)
  const faults = [
    ...reading.faults,
    ...checkAccess(env),
    ...(await checkNamed(reading.settings, cwd)),
    ...(shared.temporal.kind === 'embedded' ? await checkCli(reading.settings, cwd, env) : []),
    ...shared.faults,
  ]
  if (shared.config === undefined || faults.length > 0) throw new ConfigError(faults)
  const settings = settingsOf(reading)
  const own = toConfig(settings, cwd)
  const warnings = [
    ...shared.warnings,
    ...unknownVariables(env, KNOWN_VARIABLES, WORKER_ONLY),
    ...warnOfExposure(settings.HOST, settings.MOORAGE_BASE_URL, isGuarded(own.access)),
  ]
  return Object.freeze({ ...shared.config, ...own, secrets: configuredSecrets(env, KNOWN_VARIABLES), warnings })
}

function toConfig(settings: AgentSettings, cwd: string): Omit<Config, keyof SharedConfig | 'secrets' | 'warnings'> {
  const within = (path: string | undefined) => (path === undefined ? undefined : resolve(cwd, path))
  return {
    host: settings.HOST,
    port: settings.PORT,
    baseUrl: settings.MOORAGE_BASE_URL,
    cardKeys: settings.MOORAGE_CARD_KEYS ?? [],
    agentPath: within(settings.MOORAGE_AGENT),
    access: accessOf(settings, (path) => resolve(cwd, path)),
    runsWorker: settings.MOORAGE_WORKER === 'on',
    ratePerMinute: settings.MOORAGE_RATE_PER_MINUTE,
    streamsPerPeer: settings.MOORAGE_STREAMS_PER_PEER,
    maxStreams: settings.MOORAGE_MAX_STREAMS,
    maxRequestBytes: settings.MOORAGE_MAX_REQUEST_BYTES,
    blockingTimeoutMs: settings.MOORAGE_BLOCKING_TIMEOUT_MS,
    maxWaiting: settings.MOORAGE_MAX_WAITING,
    drainDelayMs: settings.MOORAGE_DRAIN_DELAY_MS,
    pushKeys: settings.MOORAGE_PUSH_KEYS,
    temporalCli: within(settings.TEMPORAL_CLI),
  }
}

/** A sentence for each variable that names something which is not there. */
async function checkNamed(settings: Partial<AgentSettings>, cwd: string): Promise<readonly string[]> {
  const { HOST: host, MOORAGE_AGENT: agent, MOORAGE_ACCESS: access } = settings
  const hosts = host === undefined ? [] : await checkHost(host)
  const modules = agent === undefined ? [] : await checkModuleFile('MOORAGE_AGENT', resolve(cwd, agent))
  const hint = agent?.includes(',') === true ? '; a list of modules is for apps/worker' : ''
  const accesses = access === undefined ? [] : await checkModuleFile('MOORAGE_ACCESS', resolve(cwd, access))
  return [...hosts, ...modules.map((fault) => `${fault}${hint}`), ...accesses]
}

async function checkCli({ TEMPORAL_CLI: cli }: Partial<AgentSettings>, cwd: string, env: Environment): Promise<readonly string[]> {
  return cli === undefined ? [] : checkTemporalCli(resolve(cwd, cli), env)
}
