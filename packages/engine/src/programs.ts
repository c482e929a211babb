/**
 * What the engine does for its own program, for another one: build it with Go beside its place, run it under the watchdog, wait until it serves.
 * @module
 */
export { childEnvironment } from './child-environment.js'
export { findFreePort } from './free-port.js'
export { type GoInstallOptions, goInstall, goInstallCommand } from './go-install.js'
export { waitUntilServing } from './health.js'
export { programFile } from './on-path.js'
export type { ProcessIdentity } from './process-identity.js'
export { type RunProcesses, type ServerRun, type ServerRunOptions, startServerRun } from './server-run.js'
export { sweepTemporary, temporaryBeside } from './temporary-place.js'
export type { WatchdogCommand } from './watchdog-protocol.js'
