/**
 * What a process of Moorage does before it works: configuration, agent modules, store, Temporal, log, signals.
 * @module
 */
export { builtInAgent } from './built-in-agent.js'
export { ConfigError } from './config-error.js'
export { type ConfigVariable, choice, configRows, host, integer, integerText, optional, secret, variable } from './config-variable.js'
export { configuredSecrets } from './configured-secrets.js'
export { describeRuns, type Runs, seconds } from './describe-runs.js'
export { describeVersion } from './describe-version.js'
export {
  type Environment,
  environmentOf,
  type RawEnvironment,
  type Reading,
  readVariables,
  type Settings,
  settingsOf,
  unknownVariables,
  type Variables,
} from './environment.js'
export { type Access, loadAccess } from './load-access.js'
export { loadAgent } from './load-agent.js'
export { checkModuleFile } from './load-module.js'
export { createLogger } from './logger.js'
export { isLoopback } from './loopback.js'
export { type NamedKey, namedKeys } from './named-keys.js'
export { openAudit } from './open-audit.js'
export { openStore } from './open-store.js'
export { checkHost, checkPort, describePortError, localUrl, PortError } from './port.js'
export { openPushKeys, type PushKeyConfig } from './push-keys.js'
export { type App, type AppPorts, type Running, runApp } from './run-app.js'
export { readSharedConfig, type SharedConfig, type StoreConfig, type WorkerConfig } from './shared-config.js'
export { SHARED_ROWS, SHARED_VARIABLES } from './shared-variables.js'
export { StartError } from './start-error.js'
export { checkTemporalCli, type EngineConfig, startTemporal } from './start-temporal.js'
export { startOrEnd, type Teardown } from './teardown.js'
export type { TemporalConfig } from './temporal-config.js'
export { engineTemporal, externalTemporal } from './temporal-options.js'
export { waitForDatabase } from './wait-for-database.js'
export { type EnginePatience, waitForEngine } from './wait-for-engine.js'
