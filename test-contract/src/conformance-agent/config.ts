import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  ConfigError,
  checkHost,
  choice,
  configuredSecrets,
  environmentOf,
  host,
  integer,
  optional,
  type RawEnvironment,
  readSharedConfig,
  readVariables,
  SHARED_VARIABLES,
  type SharedConfig,
  settingsOf,
  unknownVariables,
} from '@moorage/bootstrap'
import { z } from 'zod'
import { PROFILES, type Profile } from './profiles.js'
import { streamingTimeout } from './streaming-timeout.js'

const VARIABLES = {
  HOST: host('Address to listen on'),
  PORT: integer('8080', 'Port to listen on; 0 = any that is free', 0, 65_535),
  MOORAGE_PROFILE: choice('tck', 'What the card declares', PROFILES),
  TCK_STREAMING_TIMEOUT: streamingTimeout,
  TEMPORAL_CLI: optional('(found or fetched)', 'Path of the Temporal CLI', z.string()),
}

/** The configuration of the conformance agent's process. */
export interface Config extends SharedConfig {
  readonly host: string
  readonly port: number
  readonly profile: Profile
  readonly streamingTimeoutMs: number
  readonly temporalCli: string | undefined
  readonly folder: string
  /** Whether the folder is for this run alone, and goes with it. */
  readonly isFresh: boolean
  /** What no task and no log may show. */
  readonly secrets: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Reads the configuration. Without a data folder it names one that is not there yet, so that no run sees the tasks of another.
 * @throws ConfigError with every fault
 */
export async function readConfig(environment: RawEnvironment, cwd: string): Promise<Config> {
  const env = environmentOf(environment)
  const given = env['MOORAGE_DATA_DIR']
  const own = readVariables(VARIABLES, env)
  const hostFaults = own.settings.HOST === undefined ? [] : await checkHost(own.settings.HOST)
  const folder = given === undefined ? join(tmpdir(), `moorage-conformance-${randomUUID()}`) : resolve(cwd, given)
  const shared = await readSharedConfig({ LOG_LEVEL: 'warn', ...env, MOORAGE_DATA_DIR: folder }, cwd)
  const faults = [...own.faults, ...hostFaults, ...shared.faults]
  if (shared.config === undefined || faults.length > 0) throw new ConfigError(faults)
  const settings = settingsOf(own)
  return {
    ...shared.config,
    secrets: configuredSecrets(env, SHARED_VARIABLES),
    host: settings.HOST,
    port: settings.PORT,
    profile: settings.MOORAGE_PROFILE,
    streamingTimeoutMs: settings.TCK_STREAMING_TIMEOUT,
    temporalCli: settings.TEMPORAL_CLI === undefined ? undefined : resolve(cwd, settings.TEMPORAL_CLI),
    folder,
    isFresh: given === undefined,
    warnings: [...shared.warnings, ...unknownVariables(env, VARIABLES, SHARED_VARIABLES)],
  }
}
