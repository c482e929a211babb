import { isTerminal, TASK_STATES, type TaskState } from '@moorage/protocol'
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.js'

/** Tasks of one agent that ended at `before`, in milliseconds since the epoch, or earlier. */
export interface Expiry {
  readonly agent: string
  readonly before: number
}

/**
 * The tasks that may be removed. An open task never expires, and one with a wake mark has a run of its workflow that still has to look at it.
 */
export function expiredTasks(db: Kysely<Schema>, { agent, before }: Expiry) {
  return unmarkedTasks(db)
    .where('tasks.agent', '=', agent)
    .where('tasks.state', 'in', TASK_STATES.filter(isTerminal))
    .where('tasks.status_at', '<=', before)
}

/** Those of `ids` that may be removed. Found by their ids alone: with more to search by, SQLite goes through all that have expired. */
export async function stillExpired(db: Kysely<Schema>, { agent, before }: Expiry, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await unmarkedTasks(db)
    .select(['tasks.id', 'tasks.agent', 'tasks.state', 'tasks.status_at'])
    .where('tasks.id', 'in', ids)
    .execute()
  return rows.filter((row) => row.agent === agent && isTerminal(row.state as TaskState) && row.status_at <= before).map(({ id }) => id)
}

function unmarkedTasks(db: Kysely<Schema>) {
  return db
    .selectFrom('tasks')
    .where((eb) => eb.not(eb.exists(eb.selectFrom('wakes').select('wakes.task_id').whereRef('wakes.task_id', '=', 'tasks.id'))))
}
