import type { Kysely, Selectable } from 'kysely'
import type { Schema, TasksTable } from '../schema.js'

/** The tasks whose log has grown, with their last sequence number: their followers are told after the commit. */
export type Changes = Map<string, number>

/** What every step of a transaction works with. */
export interface TransactionContext {
  readonly db: Kysely<Schema>
  /** Milliseconds since the epoch, one moment for the whole transaction. */
  readonly now: number
  readonly changes: Changes
  /** How long unhandled work may wait before the sweep wakes its task again. */
  readonly wakeAfterMs: number
  /** What is still to be written, in this order: nothing reads it before `flush`. */
  readonly pending: (() => Promise<unknown>)[]
}

export async function flush({ pending }: TransactionContext): Promise<void> {
  await writeTogether(pending.splice(0))
}

/**
 * Postgres gets every statement before it has answered the first, and answers in their order. Ends when all have been answered, and throws what the
 * first that failed threw: those after it failed because of it.
 */
export async function writeTogether(writes: readonly (() => Promise<unknown>)[]): Promise<void> {
  const outcomes = await Promise.allSettled(writes.map((write) => write()))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/** A task's row while a transaction works on it: changed in place, and written as it is when `saveTask` is called. */
export type TaskRow = Selectable<TasksTable>

export async function loadTask({ db }: TransactionContext, id: string): Promise<TaskRow | undefined> {
  return db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
}

export function saveTask({ db, pending }: TransactionContext, task: TaskRow): void {
  const { id, ...columns } = task
  pending.push(() => db.updateTable('tasks').set(columns).where('id', '=', id).execute())
}
