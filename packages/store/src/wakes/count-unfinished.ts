import { isTerminal, TASK_STATES } from '@moorage/protocol'
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.js'

/** How many open tasks of each agent have work left; an agent without any is not among them. */
export async function countUnfinished(db: Kysely<Schema>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('wakes')
    .innerJoin('tasks', 'tasks.id', 'wakes.task_id')
    .select((eb) => ['wakes.agent', eb.fn.countAll<number | string>().as('count')])
    .where('tasks.state', 'not in', TASK_STATES.filter(isTerminal))
    .groupBy('wakes.agent')
    .execute()
  return new Map(rows.map((row) => [row.agent, Number(row.count)]))
}
