/**
 * Temporal's dev server as an embedded engine: find or fetch the CLI, start it tuned under a watchdog, one owner per data folder.
 * @module
 */
export type { Environment } from './child-environment.js'
export {
  claimDataFolder,
  type DataFolderClaim,
  type DataFolderInfo,
  type DataFolderOwner,
  DataFolderTakenError,
  findDataFolderOwner,
} from './data-folder.js'
export type { EngineCli, EngineCliSource } from './engine-cli.js'
export { EngineError, type EngineErrorCode } from './engine-error.js'
export { findEngineOwner, findRunningEngine, type RunningEngine } from './engine-record.js'
export { type EnsureEngineOptions, ensureEngine } from './ensure-engine.js'
export { type FetchEngineOptions, fetchEngine } from './fetch-engine.js'
export { cacheFolder, type FindEngineOptions, findEngine } from './find-engine.js'
export { findPortOwner, type PortOwner } from './port-owner.js'
export { type Engine, type StartEngineOptions, startEngine } from './start-engine.js'
export type { EngineRestart } from './supervise.js'
