import type { JsonObject, MessageJson, TaskState } from '@moorage/protocol'
import type { LogEntry } from '../log-entry.js'
import { buildStatus } from '../task-json.js'
import type { TaskRow, TransactionContext } from './transaction-context.js'

interface EntryOptions {
  readonly replyTo?: number
}

/** Adds an entry after the task's last one. The row's state and `handled` must already be those that the entry shows. */
export function logEntry(
  { db, now, changes, pending }: TransactionContext,
  task: TaskRow,
  payload: LogEntry['payload'],
  { replyTo }: EntryOptions = {},
): void {
  task.seq += 1
  const entry = {
    task_id: task.id,
    seq: task.seq,
    at: now,
    state: task.state,
    handled: task.handled,
    turn: task.turn || null,
    reply_to: replyTo ?? null,
    payload: JSON.stringify(payload),
  }
  pending.push(() => db.insertInto('task_events').values(entry).execute())
  changes.set(task.id, task.seq)
}

interface StatusOptions extends EntryOptions {
  readonly message?: MessageJson | undefined
  readonly metadata?: JsonObject
}

/** Gives the task a new status and logs it. The message of the status before moves into the history, to the place where it was said. */
export function logStatus(
  context: TransactionContext,
  task: TaskRow,
  state: TaskState,
  { message, metadata, ...options }: StatusOptions = {},
): void {
  if (task.status_message !== null && task.status_ordinal !== null) {
    insertHistory(context, task, task.status_ordinal, task.status_message)
  }
  task.state = state
  task.status_at = context.now
  task.status_message = message ? JSON.stringify(message) : null
  task.status_ordinal = message ? nextOrdinal(task) : null
  const statusUpdate = { taskId: task.id, contextId: task.context_id, status: buildStatus(task), ...(metadata && { metadata }) }
  logEntry(context, task, { statusUpdate }, options)
}

/** Adds a message, as JSON, to the task's history. */
export function addHistory(context: TransactionContext, task: TaskRow, message: string): void {
  insertHistory(context, task, nextOrdinal(task), message)
}

function insertHistory({ db, pending }: TransactionContext, task: TaskRow, ordinal: number, message: string): void {
  pending.push(() => db.insertInto('task_history').values({ task_id: task.id, ordinal, message }).execute())
}

function nextOrdinal(task: TaskRow): number {
  task.message_count += 1
  return task.message_count
}
