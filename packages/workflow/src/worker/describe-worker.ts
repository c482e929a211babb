import { hostname } from 'node:os'
import type { HeartbeatWorker } from '@moorage/store'
import type { WorkerLoad } from './worker-load.js'
import type { ResolvedWorkerOptions } from './worker-options.js'

/** This process as heartbeats show it; Temporal shows the same identity. */
export function describeWorker({ versioning }: Pick<ResolvedWorkerOptions, 'versioning'>, load: WorkerLoad): HeartbeatWorker {
  return { identity: `${process.pid}@${hostname()}`, node: process.versions.node, ...versioning, ...load }
}
