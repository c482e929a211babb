import type { Scheduling } from '@moorage/store'
import { Context } from '@temporalio/activity'
import { ACTIVITY_MARGIN_MS } from '../contract/activities.js'
import { LONGEST_TIMER_MS } from '../policy.js'
import type { StopReason } from './run-fence.js'

const LONGEST_BEAT_MS = 5000

/** What one execution of an Activity knows of itself. */
export interface Execution {
  readonly scheduling: Scheduling
  /** How long the agent's code may run. */
  readonly timeoutMs: number
  /** The time between two heartbeats. */
  readonly beatMs: number
  readonly cancellation: AbortSignal
  beat(): void
}

/** The Activity that is running. */
export function currentExecution(): Execution {
  const context = Context.current()
  const { info } = context
  return {
    // Temporal counts activity ids anew in each run.
    scheduling: { id: `${info.workflowExecution?.runId}/${info.activityId}`, attempt: info.attempt },
    timeoutMs: Math.min(LONGEST_TIMER_MS, Math.max(1, info.startToCloseTimeoutMs - ACTIVITY_MARGIN_MS)),
    beatMs: Math.min(LONGEST_BEAT_MS, (info.heartbeatTimeoutMs ?? LONGEST_BEAT_MS * 4) / 4),
    cancellation: context.cancellationSignal,
    beat: () => context.heartbeat(),
  }
}

/** Why the Activity was cancelled: Temporal says it in the message of the reason. */
export function stopReason({ cancellation }: Execution): StopReason {
  const reason: unknown = cancellation.reason
  return reason instanceof Error && reason.message === 'WORKER_SHUTDOWN' ? 'shutdown' : 'cancelled'
}
