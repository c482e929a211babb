/** The states of a Task, by their ProtoJSON names (A2A §4.1.3). `TASK_STATE_UNSPECIFIED` is not a state a task can be in. */
export const TASK_STATES = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const

export type TaskState = (typeof TASK_STATES)[number]

const TERMINAL: ReadonlySet<TaskState> = new Set<TaskState>([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
])

const INTERRUPTED: ReadonlySet<TaskState> = new Set<TaskState>(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'])

/** Whether nothing can follow this state (A2A §3.1.2: no message, no further event). */
export function isTerminal(state: TaskState): boolean {
  return TERMINAL.has(state)
}

/** Whether the task waits for its client: input-required or auth-required (A2A §3.2.2). */
export function isInterrupted(state: TaskState): boolean {
  return INTERRUPTED.has(state)
}
