import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { DatabaseUrl } from './database-url.js'
import { type Environment, readVariables, type Settings } from './environment.js'
import type { NamedKey } from './named-keys.js'
import { SHARED_VARIABLES } from './shared-variables.js'
import { checkSharesMachine, ignoredTemporalVariables, readTemporalConfig, type TemporalConfig } from './temporal-config.js'
import { unknownTlsVariables } from './temporal-tls.js'

const DAY_MS = 86_400_000

type SharedSettings = Settings<typeof SHARED_VARIABLES>

/** Where the tasks are. */
export type StoreConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | ({ readonly kind: 'postgres'; readonly poolSize: number } & DatabaseUrl)

/** How a worker works: what `createWorker` takes beside its ports. */
export interface WorkerConfig {
  readonly slots: { readonly turns: number; readonly commands: number; readonly workflowTasks: number }
  readonly maxPollers: number
  readonly maxCachedWorkflows: number
  readonly versioning?: { readonly deploymentName: string; readonly buildId: string }
  readonly shutdownGraceMs: number
  /** How long things are kept; 0: for ever. */
  readonly retention: { readonly tasksMs: number; readonly auditMs: number }
}

/** What both apps are configured with. Paths are absolute, times in milliseconds. */
export interface SharedConfig {
  readonly logLevel: SharedSettings['LOG_LEVEL']
  /** Undefined where neither the store nor the engine is in a folder of this machine. */
  readonly dataDir: string | undefined
  readonly store: StoreConfig
  readonly temporal: TemporalConfig
  /** Empty: what Temporal keeps is not encrypted. */
  readonly payloadKeys: readonly NamedKey[]
  readonly policy: { readonly turnTimeoutMs: number; readonly commandTimeoutMs: number; readonly heartbeatTimeoutMs: number }
  readonly wakeAfterMs: number
  readonly worker: WorkerConfig
}

/** The shared part of a configuration; undefined where it has faults. */
export interface SharedReading {
  readonly config: SharedConfig | undefined
  readonly temporal: TemporalConfig
  readonly faults: readonly string[]
  /** What is odd but no reason not to start: a sentence each. */
  readonly warnings: readonly string[]
}

/** Reads what both apps know. Relative paths are relative to `cwd`. */
export async function readSharedConfig(env: Environment, cwd: string): Promise<SharedReading> {
  const { settings, faults: variableFaults } = readVariables(SHARED_VARIABLES, env)
  const [temporal, temporalFaults] = readTemporalConfig(env)
  const isSqlite = !('DATABASE_URL' in env)
  const dataDir = isSqlite || temporal.kind === 'embedded' ? resolve(cwd, settings.MOORAGE_DATA_DIR ?? '') : undefined
  const faults = [
    ...variableFaults,
    ...checkVersioning(env),
    ...temporalFaults,
    ...(isSqlite ? checkSharesMachine(env, temporal) : []),
    ...(dataDir === undefined ? [] : await checkFolder(dataDir)),
  ]
  const warnings = [...describeIgnored(env, temporal), ...describeUnknownTls(env, temporal), ...describeUnusedFolder(env, dataDir)]
  const config = faults.length === 0 ? toConfig(settings as SharedSettings, temporal, dataDir) : undefined
  return { config, temporal, faults, warnings }
}

function toConfig(settings: SharedSettings, temporal: TemporalConfig, dataDir: string | undefined): SharedConfig {
  return {
    logLevel: settings.LOG_LEVEL,
    dataDir,
    store: storeOf(settings, dataDir ?? ''),
    temporal,
    payloadKeys: settings.MOORAGE_PAYLOAD_KEYS ?? [],
    policy: {
      turnTimeoutMs: settings.MOORAGE_TURN_TIMEOUT_MS,
      commandTimeoutMs: settings.MOORAGE_COMMAND_TIMEOUT_MS,
      heartbeatTimeoutMs: settings.MOORAGE_HEARTBEAT_TIMEOUT_MS,
    },
    wakeAfterMs: settings.MOORAGE_WAKE_AFTER_MS,
    worker: workerOf(settings),
  }
}

function storeOf({ DATABASE_URL: database, MOORAGE_POSTGRES_POOL: poolSize }: SharedSettings, dataDir: string): StoreConfig {
  return database === undefined ? { kind: 'sqlite', path: join(dataDir, 'moorage.db') } : { kind: 'postgres', poolSize, ...database }
}

function workerOf(settings: SharedSettings): WorkerConfig {
  const { MOORAGE_DEPLOYMENT_NAME: deploymentName, MOORAGE_BUILD_ID: buildId } = settings
  return {
    slots: {
      turns: settings.MOORAGE_TURN_SLOTS,
      commands: settings.MOORAGE_COMMAND_SLOTS,
      workflowTasks: settings.MOORAGE_WORKFLOW_SLOTS,
    },
    maxPollers: settings.MOORAGE_POLLERS,
    maxCachedWorkflows: settings.MOORAGE_CACHED_WORKFLOWS,
    ...(deploymentName !== undefined && buildId !== undefined && { versioning: { deploymentName, buildId } }),
    shutdownGraceMs: settings.MOORAGE_SHUTDOWN_GRACE_MS,
    retention: {
      tasksMs: settings.MOORAGE_RETENTION_TASKS_DAYS * DAY_MS,
      auditMs: settings.MOORAGE_RETENTION_AUDIT_DAYS * DAY_MS,
    },
  }
}

function checkVersioning(env: Environment): readonly string[] {
  const names = ['MOORAGE_DEPLOYMENT_NAME', 'MOORAGE_BUILD_ID'] as const
  const missing = names.filter((name) => !(name in env))
  return missing.length === 1
    ? [`${missing[0]} is not set: Worker Versioning needs both ${names.join(' and ')}, set it or unset the other`]
    : []
}

async function checkFolder(dataDir: string): Promise<readonly string[]> {
  const found = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error) {
    return found.code === 'ENOENT' ? [] : [`MOORAGE_DATA_DIR is ${dataDir}, which cannot be used: ${found.message}. Name a folder`]
  }
  return found.isDirectory()
    ? []
    : [`MOORAGE_DATA_DIR is ${dataDir}, which is a file. Name a folder; it is created where it does not exist`]
}

function describeIgnored(env: Environment, temporal: TemporalConfig): readonly string[] {
  const names = ignoredTemporalVariables(env, temporal)
  return names.length === 0
    ? []
    : [`${names.join(', ')}: without effect, since TEMPORAL_ADDRESS is not set and the embedded engine is used`]
}

function describeUnknownTls(env: Environment, temporal: TemporalConfig): readonly string[] {
  const names = temporal.kind === 'external' ? unknownTlsVariables(env) : []
  return names.length === 0 ? [] : [`${names.join(', ')}: without effect, since Temporal has no such variable`]
}

function describeUnusedFolder(env: Environment, dataDir: string | undefined): readonly string[] {
  if (dataDir !== undefined || !('MOORAGE_DATA_DIR' in env)) return []
  return ['MOORAGE_DATA_DIR: without effect, since the tasks are in Postgres and Temporal is a server of its own']
}
