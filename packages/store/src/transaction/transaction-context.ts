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
}

/** A task's row while a transaction works on it: changed in place, written once by `saveTask`. */
export type TaskRow = Selectable<TasksTable>

export async function loadTask({ db }: TransactionContext, id: string): Promise<TaskRow | undefined> {
  return db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function saveTask({ db }: TransactionContext, task: TaskRow): Promise<void> {
  const { id, ...columns } = task
  await db.updateTable('tasks').set(columns).where('id', '=', id).execute()
}
