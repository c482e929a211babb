import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.js'
import { writeTogether } from '../transaction/transaction-context.js'
import { TASK_TABLES } from './task-tables.js'

const INBOX = 'inbox'

/** Deletes all rows of these tasks. */
export async function deleteWhole(db: Kysely<Schema>, taskIds: readonly string[]): Promise<void> {
  const ids = sql.join(taskIds.map((id) => sql`${id}`))
  const tables = [...Object.keys(TASK_TABLES), INBOX]
  await writeTogether([
    () => db.deleteFrom('tasks').where('id', 'in', taskIds).execute(),
    ...tables.map((table) => () => sql`delete from ${sql.table(table)} where task_id in (${ids})`.execute(db)),
  ])
}

/**
 * Deletes at most `most` rows of a task that nobody can find any more. True when none is left. The first message goes last: until then a repeated
 * one meets its receipt, and makes no new task among the remains of the old one.
 */
export async function deleteSome(db: Kysely<Schema>, taskId: string, most: number): Promise<boolean> {
  let left = most
  const belongings = Object.entries(TASK_TABLES).map(([table, keys]) => [table, keys, sql``] as const)
  for (const [table, keys, also] of [...belongings, [INBOX, ['position'], sql` and position > 1`] as const]) {
    left -= await deleteLast(db, table, keys, sql`task_id = ${taskId}${also}`, left)
    if (left <= 0) return false
  }
  await db.deleteFrom('inbox').where('task_id', '=', taskId).execute()
  await db.deleteFrom('removals').where('task_id', '=', taskId).execute()
  return true
}

/** Deletes the last `most` rows in the order of the key, or all where there are fewer. Returns how many those were. */
async function deleteLast(
  db: Kysely<Schema>,
  table: string,
  keys: readonly string[],
  own: ReturnType<typeof sql>,
  most: number,
): Promise<number> {
  const from = keys.length === 0 ? undefined : await findLast(db, table, keys, own, most)
  const columns = sql.join(keys.map((key) => sql.ref(key)))
  const within = from ? sql` and (${columns}) >= (${sql.join(keys.map((key) => sql`${from[key]}`))})` : sql``
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${own}${within}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The key of the `most`-th row from the end; none where there are fewer. */
async function findLast(db: Kysely<Schema>, table: string, keys: readonly string[], own: ReturnType<typeof sql>, most: number) {
  const columns = sql.join(keys.map((key) => sql.ref(key)))
  const order = sql.join(keys.map((key) => sql`${sql.ref(key)} desc`))
  const query = sql<
    Record<string, unknown>
  >`select ${columns} from ${sql.table(table)} where ${own} order by ${order} limit 1 offset ${most - 1}`
  const { rows } = await query.execute(db)
  return rows[0]
}
