import type { Waiting } from '@moorage/store'

/** What a wake says: positions and kinds, never bodies. */
export interface Delivery {
  readonly unhandled: readonly Waiting[]
}

/** How long things may take, in milliseconds; given to a workflow when it starts, so that a replay sees what the run saw. */
export interface ExecutionPolicy {
  /** How long one attempt at a turn may run. */
  readonly turnTimeoutMs: number
  /** How long one attempt at a command may run. */
  readonly commandTimeoutMs: number
  /** After how long without a heartbeat an Activity counts as lost. */
  readonly heartbeatTimeoutMs: number
  /** How long a run waits for the next wake before it ends; a wake after that starts a new one. */
  readonly parkedMs: number
}

/** What a task's workflow is started with: a wake, and what it needs to find its Activities. Part of recorded histories. */
export interface TaskWorkflowInput extends Delivery {
  readonly taskId: string
  /** The Task Queue of turns: they have slots of their own. */
  readonly turnTaskQueue: string
  readonly policy: ExecutionPolicy
}

/** Turns 1 h, commands 10 min, heartbeats 20 s, parked 1 h. */
export const DEFAULT_EXECUTION_POLICY: ExecutionPolicy = {
  turnTimeoutMs: 3_600_000,
  commandTimeoutMs: 600_000,
  heartbeatTimeoutMs: 20_000,
  parkedMs: 3_600_000,
}
