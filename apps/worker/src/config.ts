import { resolve } from 'node:path'
import {
  ConfigError,
  checkHost,
  checkModuleFile,
  configuredSecrets,
  environmentOf,
  type RawEnvironment,
  readSharedConfig,
  readVariables,
  type Settings,
  type SharedConfig,
  settingsOf,
  unknownVariables,
} from '@moorage/bootstrap'
import { AGENT_ONLY, KNOWN_VARIABLES, WORKER_VARIABLES } from './config-variables.js'

/** The whole configuration of apps/worker. Paths are absolute, times in milliseconds. */
export interface Config extends SharedConfig {
  /** Empty: the built-in agent. */
  readonly agentPaths: readonly string[]
  /** Where the health port is. */
  readonly host: string
  /** Undefined: none; 0: any that is free. */
  readonly healthPort: number | undefined
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
  const own = readVariables(WORKER_VARIABLES, env)
  const shared = await readSharedConfig(env, cwd)
  const agentPaths = (own.settings.MOORAGE_AGENT ?? []).map((path) => resolve(cwd, path))
  const faults = [...own.faults, ...(await checkNamed(own.settings, agentPaths)), ...shared.faults]
  if (shared.config === undefined || faults.length > 0) throw new ConfigError(faults)
  const { HOST: host, MOORAGE_HEALTH_PORT: healthPort } = settingsOf(own)
  const warnings = [...shared.warnings, ...unknownVariables(env, KNOWN_VARIABLES, AGENT_ONLY)]
  return Object.freeze({ ...shared.config, agentPaths, host, healthPort, secrets: configuredSecrets(env, KNOWN_VARIABLES), warnings })
}

/** A sentence for each variable that names something which is not there. */
async function checkNamed(
  { HOST: host, MOORAGE_HEALTH_PORT: port }: Partial<Settings<typeof WORKER_VARIABLES>>,
  agentPaths: readonly string[],
): Promise<readonly string[]> {
  const modules = await Promise.all(agentPaths.map((path) => checkModuleFile('MOORAGE_AGENT', path)))
  return [...modules.flat(), ...(host === undefined || port === undefined ? [] : await checkHost(host))]
}
