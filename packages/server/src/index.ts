/**
 * The A2A operations once, two HTTP bindings over them, and the mountable Harness. Runs on Fetch; Node's server is `@moorage/server/node`.
 * @module
 */
export { createHarness, type Harness } from './harness.js'
export type { HarnessLimits, HarnessOptions } from './harness-options.js'
export type { JsonMediaType } from './http-json/negotiate.js'
export type { Logger } from './logger.js'
export type { Call, StreamEvent } from './operations/call.js'
export { endsWait, type Progress, type Wait } from './operations/ends-wait.js'
export type { MayActFor, ResolveParticipant } from './operations/enter.js'
export type { ExtendCard } from './operations/get-extended-agent-card.js'
export { createOperations, type Operations, type OperationsOptions } from './operations/operations.js'
export type { WorkerPort } from './worker-port.js'
