import type { TaskState } from '@moorage/protocol'
import type { InboxKind, Receipt, TaskRecord } from '@moorage/store'

/** How many push notification configs a task may have. */
export const MAX_PUSH_CONFIGS = 20

type PlainReason = 'task-not-found' | 'role' | 'context' | 'content' | 'full' | 'push-configs' | 'aborted'

/**
 * What became of a message, a cancel or a push config. A refusal has left nothing but its audit row.
 *
 * - `task-not-found`: no such task, or none that the caller may see;
 * - `role`: the caller's role in the task does not allow it;
 * - `terminal`: the task has ended, in `state`;
 * - `context`: the message names another context than its task's;
 * - `content`: the same message id came before with other content;
 * - `full`: too many messages are waiting on the task;
 * - `push-configs`: the task has as many push notification configs as it may have;
 * - `reference`: the message refers, at `index`, to a task that does not exist for its sender;
 * - `policy`: a policy of the agent refuses it, for `publicReason`;
 * - `aborted`: its sender has gone, or the server stops, while a policy had not yet decided.
 */
export type Refusal =
  | { readonly result: 'refused'; readonly reason: PlainReason; readonly taskId?: string }
  | { readonly result: 'refused'; readonly reason: 'reference'; readonly index: number; readonly taskId?: string }
  | { readonly result: 'refused'; readonly reason: 'policy'; readonly publicReason: string; readonly taskId?: string }
  | { readonly result: 'refused'; readonly reason: 'terminal'; readonly taskId: string; readonly state: TaskState }

/**
 * `kind` says what the message runs, and so which wait is its own: a command's wait ends at the command's reply. `handled`: a duplicate that has
 * been dealt with, so that nobody need be woken.
 */
export type Reception =
  | { readonly result: 'accepted'; readonly kind: InboxKind; readonly handled: boolean; readonly receipt: Receipt }
  | Refusal

export function refuse(reason: PlainReason, taskId?: string): Refusal {
  return { result: 'refused', reason, ...(taskId !== undefined && { taskId }) }
}

export function terminal({ id, state }: TaskRecord): Refusal {
  return { result: 'refused', reason: 'terminal', taskId: id, state }
}
