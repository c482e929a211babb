import { resolve } from 'node:path'
import type { z } from 'zod'
import { ConfigError } from './config-error.js'
import { ENVIRONMENT } from './config-variables.js'
import { isLoopback } from './loopback.js'
import { ignoredTemporalVariables, readTemporalConfig, type TemporalConfig } from './temporal-config.js'

type Settings = z.infer<typeof ENVIRONMENT>
type Environment = Readonly<Record<string, string>>

/** The whole configuration of apps/agent. Paths are absolute, times in milliseconds. */
export interface Config {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Without a slash at its end. Undefined: that of the address it listens on. */
  readonly baseUrl: string | undefined
  /** Undefined: the built-in agent. */
  readonly agentPath: string | undefined
  readonly dataDir: string
  readonly logLevel: Settings['LOG_LEVEL']
  readonly ratePerMinute: number
  readonly maxRequestBytes: number
  readonly blockingTimeoutMs: number
  readonly maxWaiting: number
  readonly turnTimeoutMs: number
  readonly commandTimeoutMs: number
  readonly heartbeatTimeoutMs: number
  readonly wakeAfterMs: number
  readonly turnSlots: number
  readonly commandSlots: number
  readonly shutdownGraceMs: number
  readonly temporal: TemporalConfig
  readonly temporalCli: string | undefined
  /** What is odd but no reason not to start: a sentence each. */
  readonly warnings: readonly string[]
}

/**
 * Reads the configuration from the environment, once. A variable that is set to nothing counts as not set; relative paths are relative to `cwd`.
 * @throws ConfigError with every fault.
 */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>, cwd: string): Config {
  const env: Environment = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])),
  )
  const settings = ENVIRONMENT.safeParse(env)
  const [temporal, temporalFaults] = readTemporalConfig(env)
  const faults = settings.success ? temporalFaults : [...settings.error.issues.map((issue) => describeIssue(issue, env)), ...temporalFaults]
  if (!settings.success || faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(toConfig(settings.data, temporal, env, cwd))
}

function toConfig(settings: Settings, temporal: TemporalConfig, env: Environment, cwd: string): Config {
  const within = (path: string | undefined) => (path === undefined ? undefined : resolve(cwd, path))
  return {
    host: settings.HOST,
    port: settings.PORT,
    baseUrl: settings.MOORAGE_BASE_URL,
    agentPath: within(settings.MOORAGE_AGENT),
    dataDir: resolve(cwd, settings.MOORAGE_DATA_DIR),
    logLevel: settings.LOG_LEVEL,
    ratePerMinute: settings.MOORAGE_RATE_PER_MINUTE,
    maxRequestBytes: settings.MOORAGE_MAX_REQUEST_BYTES,
    blockingTimeoutMs: settings.MOORAGE_BLOCKING_TIMEOUT_MS,
    maxWaiting: settings.MOORAGE_MAX_WAITING,
    turnTimeoutMs: settings.MOORAGE_TURN_TIMEOUT_MS,
    commandTimeoutMs: settings.MOORAGE_COMMAND_TIMEOUT_MS,
    heartbeatTimeoutMs: settings.MOORAGE_HEARTBEAT_TIMEOUT_MS,
    wakeAfterMs: settings.MOORAGE_WAKE_AFTER_MS,
    turnSlots: settings.MOORAGE_TURN_SLOTS,
    commandSlots: settings.MOORAGE_COMMAND_SLOTS,
    shutdownGraceMs: settings.MOORAGE_SHUTDOWN_GRACE_MS,
    temporal,
    temporalCli: within(settings.TEMPORAL_CLI),
    warnings: [...ignored(env, temporal), ...unknown(env), ...exposed(settings)],
  }
}

function describeIssue(issue: z.core.$ZodIssue, env: Environment): string {
  const name = String(issue.path[0])
  return `${name} ${issue.message}; it is ${JSON.stringify(env[name])}`
}

function ignored(env: Environment, temporal: TemporalConfig): readonly string[] {
  const names = ignoredTemporalVariables(env, temporal)
  return names.length === 0
    ? []
    : [`${names.join(', ')}: without effect, since TEMPORAL_ADDRESS is not set and the embedded engine is used`]
}

function unknown(env: Environment): readonly string[] {
  const names = Object.keys(env).filter((name) => name.startsWith('MOORAGE_') && !(name in ENVIRONMENT.shape))
  return names.length === 0 ? [] : [`${names.join(', ')}: without effect, since there is no such variable`]
}

function exposed({
  HOST: host,
  MOORAGE_BASE_URL: baseUrl,
}: {
  readonly HOST: string
  readonly MOORAGE_BASE_URL?: string | undefined
}): readonly string[] {
  if (isLoopback(host)) return []
  const open = `HOST is ${host}: whoever reaches this machine can use the agent, since it has no authentication yet`
  const isEveryAddress = host === '0.0.0.0' || host === '::'
  if (baseUrl !== undefined || !isEveryAddress) return [open]
  return [open, 'MOORAGE_BASE_URL is not set: the card sends clients to an address of this machine that others cannot reach']
}
