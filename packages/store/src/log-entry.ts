import type { StreamResponseJson, TaskState } from '@moorage/protocol'

/** What the log records for the server itself; clients never see it. */
export interface InternalEntry {
  readonly internal:
    | { readonly kind: 'accepted'; readonly position: number }
    | { readonly kind: 'turn'; readonly turn: number; readonly attempt: number }
    | { readonly kind: 'handled' }
}

/**
 * One entry of a task's event log. `seq` is dense from 1, `at` is ISO 8601 in UTC, `state` is the task's state after the entry and
 * `handled` the last position of the contiguous prefix of handled inbox rows. `replyTo` is the position of the command that the entry answers.
 */
export interface LogEntry {
  readonly seq: number
  readonly at: string
  readonly state: TaskState
  readonly handled: number
  readonly replyTo?: number
  readonly payload: StreamResponseJson | InternalEntry
}

/** Whether clients may see the entry. */
export function isPublic(entry: LogEntry): entry is LogEntry & { readonly payload: StreamResponseJson } {
  return !('internal' in entry.payload)
}
