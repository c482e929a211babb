import type { JsonObject, MessageJson, TaskState } from '@moorage/protocol'
import type { LogEntry } from '../log-entry.js'
import { buildStatus } from '../task-json.js'
import type { TaskRow, TransactionContext } from './transaction-context.js'

interface EntryOptions {
  readonly replyTo?: number
}

/** Adds an entry after the task's last one. The row's state and `handled` must already be those that the entry shows. */
export async function logEntry(
  context: TransactionContext,
  task: TaskRow,
  payload: LogEntry['payload'],
  { replyTo }: EntryOptions = {},
): Promise<number> {
  task.seq += 1
  await context.db
    .insertInto('task_events')
    .values({
      task_id: task.id,
      seq: task.seq,
      at: context.now,
      state: task.state,
      handled: task.handled,
      turn: task.turn || null,
      reply_to: replyTo ?? null,
      payload: JSON.stringify(payload),
    })
    .execute()
  context.changed.add(task.id)
  return task.seq
}

interface StatusOptions extends EntryOptions {
  readonly message?: MessageJson | undefined
  readonly metadata?: JsonObject
}

/** Gives the task a new status and logs it. The message of the status before moves into the history. */
export async function logStatus(
  context: TransactionContext,
  task: TaskRow,
  state: TaskState,
  { message, metadata, ...options }: StatusOptions = {},
): Promise<number> {
  if (task.status_message !== null) await addHistory(context, task, task.status_message)
  task.state = state
  task.status_at = context.now
  task.status_message = message ? JSON.stringify(message) : null
  const statusUpdate = { taskId: task.id, contextId: task.context_id, status: buildStatus(task), ...(metadata && { metadata }) }
  return logEntry(context, task, { statusUpdate }, options)
}

/** Adds a message, as JSON, to the task's history. */
export async function addHistory({ db }: TransactionContext, task: TaskRow, message: string): Promise<void> {
  task.history_length += 1
  await db.insertInto('task_history').values({ task_id: task.id, ordinal: task.history_length, message }).execute()
}
