import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.js'
import type { Removal } from '../task-store.js'
import type { Changes } from '../transaction/transaction-context.js'
import { deleteSome, deleteWhole } from './delete-rows.js'
import { type Expiry, expiredTasks, stillExpired } from './expired-tasks.js'

/** How many tasks one call removes at most. */
const CALL_TASKS = 100
/** About how many rows one transaction deletes: whoever comes meanwhile waits for it. */
const TRANSACTION_ROWS = 500
const TRANSACTION_TASKS = 25
/** How many transactions one call begins with at most, after which its caller may want to pause, or to stop. */
const CALL_TRANSACTIONS = 20
/** What the followers of a task are told when it is gone, so that each of them looks. */
const GONE = Number.MAX_SAFE_INTEGER

/** Runs one transaction over the tasks, locked in sorted order; those in `changes` are told to their followers after the commit. */
export type Write = <T>(taskIds: readonly string[], run: (db: Kysely<Schema>, now: number, changes: Changes) => Promise<T>) => Promise<T>

interface Expired {
  readonly id: string
  /** About how many rows it has. */
  readonly weight: number
}

/** How many transactions a call has left. */
interface Budget {
  transactions: number
}

/**
 * Removes tasks of an agent that ended at least `olderThanMs` ago. Small ones go together, each as a whole; a large one is made unknown to everybody
 * in one transaction, and its rows follow in others, also where another call or another process has begun with them.
 */
export async function removeTasks(write: Write, agent: string, olderThanMs: number): Promise<Removal> {
  const { begun, expired } = await write([], async (db, now) => ({
    begun: await db.selectFrom('removals').select('task_id').where('agent', '=', agent).limit(CALL_TASKS).execute(),
    expired: await findExpired(db, { agent, before: now - olderThanMs }),
  }))
  const budget: Budget = { transactions: CALL_TRANSACTIONS }
  for (const { task_id: id } of begun) await clear(write, id, budget)
  let removed = 0
  for (const batch of batches(expired)) {
    if (budget.transactions <= 0) break
    removed += await removeBatch(write, { agent, olderThanMs, budget }, batch)
  }
  const full = begun.length === CALL_TASKS || (expired.length === CALL_TASKS && removed > 0)
  return { removed, more: full || budget.transactions <= 0 }
}

async function findExpired(db: Kysely<Schema>, expiry: Expiry): Promise<readonly Expired[]> {
  const rows = await expiredTasks(db, expiry)
    .select(['tasks.id', 'tasks.seq', 'tasks.message_count', 'tasks.position', countOf('steps'), countOf('artifact_parts')])
    .limit(CALL_TASKS)
    .execute()
  return rows.map(({ id, seq, message_count: messages, position, steps, artifact_parts: parts }) => ({
    id,
    weight: seq + messages + position + Number(steps) + Number(parts),
  }))
}

/** How many rows of the table a task has that the task's own row does not tell of; no more than matter. */
function countOf<Table extends 'steps' | 'artifact_parts'>(table: Table) {
  const some = sql`select 1 from ${sql.table(table)} where task_id = tasks.id limit ${TRANSACTION_ROWS + 1}`
  return sql<number | string>`(select count(*) from (${some}) as counted)`.as(table)
}

/** The small ones in groups that one transaction can delete, a large one alone. */
function batches(expired: readonly Expired[]): readonly (readonly Expired[])[] {
  const groups: Expired[][] = []
  let rows = 0
  for (const task of expired) {
    const group = groups.at(-1)
    rows += task.weight
    if (group && rows <= TRANSACTION_ROWS && group.length < TRANSACTION_TASKS) group.push(task)
    else {
      groups.push([task])
      rows = task.weight
    }
  }
  return groups
}

/** Returns how many were removed: what has changed since it was found stays. */
async function removeBatch(
  write: Write,
  { agent, olderThanMs, budget }: { readonly agent: string; readonly olderThanMs: number; readonly budget: Budget },
  batch: readonly Expired[],
): Promise<number> {
  budget.transactions -= 1
  const ids = batch.map(({ id }) => id)
  const large = batch.some(({ weight }) => weight > TRANSACTION_ROWS)
  const removed = await write(ids, async (db, now, changes) => {
    const still = await stillExpired(db, { agent, before: now - olderThanMs }, ids)
    if (still.length === 0) return still
    if (large) await bury(db, agent, still)
    else await deleteWhole(db, padded(still))
    for (const id of still) changes.set(id, GONE)
    return still
  })
  if (large) for (const id of removed) await clear(write, id, budget)
  return removed.length
}

/** Of one length, so that there is one statement for all: a connection keeps those that it has prepared. */
function padded(ids: readonly string[]): readonly string[] {
  return Array.from({ length: TRANSACTION_TASKS }, (_, index) => ids[index % ids.length] ?? '')
}

/** From here on there is no such task; where its other rows are is written down. */
async function bury(db: Kysely<Schema>, agent: string, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('tasks').where('id', 'in', ids).execute()
  await db.deleteFrom('task_participants').where('task_id', 'in', ids).execute()
  await db
    .insertInto('removals')
    .values(ids.map((id) => ({ task_id: id, agent })))
    .execute()
}

/** Deletes what is left of a task; what the budget does not suffice for, another call does. */
async function clear(write: Write, id: string, budget: Budget): Promise<void> {
  for (let cleared = false; !cleared && budget.transactions > 0; budget.transactions -= 1) {
    cleared = await write([id], (db) => clearSome(db, id))
  }
}

/** The row is locked first: another process may have cleared it meanwhile, and a new task may have its id. */
async function clearSome(db: Kysely<Schema>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('removals')
    .set({ agent: sql.ref('agent') })
    .where('task_id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 0n || deleteSome(db, id, TRANSACTION_ROWS)
}
