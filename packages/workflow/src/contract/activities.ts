import type { Remaining } from '@moorage/store'
import type { RetentionInput } from './retention.js'

/** What every Activity gets: it takes all else from the store. */
interface TaskActivityInput {
  readonly taskId: string
}

/** The Activities of a task. Their names are the Activity Types, which open runs and recorded histories name: pinned. */
export interface TaskActivities {
  run_turn(input: TaskActivityInput): Promise<Remaining>
  run_command(input: TaskActivityInput): Promise<Remaining>
  look_again(input: TaskActivityInput): Promise<Remaining>
}

/** What a round of removals came to; `more`: there is probably more to remove. */
export interface RemovalRound {
  readonly tasks: number
  readonly auditRows: number
  readonly more: boolean
}

/** The Activities of an agent as a whole. Their names are pinned as well. */
export interface UpkeepActivities {
  remove_expired(input: RetentionInput): Promise<RemovalRound>
  record_heartbeat(): Promise<void>
}

/** How much longer than the agent's code its Activity may take, in milliseconds: the time to record what became of it. */
export const ACTIVITY_MARGIN_MS = 60_000
