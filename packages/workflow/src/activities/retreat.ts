import type { AppendOutcome } from '@moorage/store'
import type { Execution } from './execution.js'
import { failure } from './failures.js'
import type { ActivityPorts } from './ports.js'
import { lookAgain } from './remaining.js'
import type { StopReason } from './run-fence.js'

/**
 * How soon another worker takes over what a worker that shuts down hands back. Long enough for the polls of the latter to end: Temporal would
 * give it to one of them and not notice before the heartbeat timeout.
 */
const HANDOVER_MS = 250

/** Leaves a run that was stopped before it came to an end of its own. */
export async function retreat(ports: ActivityPorts, taskId: string, execution: Execution, reason?: StopReason): Promise<AppendOutcome> {
  if (reason === 'shutdown') throw failure('WorkerShutdown', HANDOVER_MS)
  if (reason === 'outage') {
    ports.logger.warn(
      { taskId, timeoutMs: execution.timeoutMs },
      'the time of the run is up, but the store was away meanwhile; it is run again',
    )
    throw failure('StoreUnavailable')
  }
  if (reason === 'cancelled') throw execution.cancellation.reason
  return { result: reason === 'terminal' ? 'terminal' : 'stale', ...(await lookAgain(ports.store, taskId)) }
}
