import type { Remaining } from '@moorage/store'

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

/** How much longer than the agent's code its Activity may take, in milliseconds: the time to record what became of it. */
export const ACTIVITY_MARGIN_MS = 60_000
