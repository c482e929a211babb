import type { TaskState } from '@moorage/protocol'
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.js'
import { toTimestamp } from '../task-json.js'
import type { Heartbeat } from './heartbeat.js'

/** Counts an agent's tasks and what waits in them, by an index each. To be called in a transaction, so that both are of one moment. */
export async function measureAgent(db: Kysely<Schema>, agent: string): Promise<Pick<Heartbeat, 'tasks' | 'waiting'>> {
  const states = await db
    .selectFrom('tasks')
    .select((eb) => ['state', eb.fn.countAll<number | string>().as('count')])
    .where('agent', '=', agent)
    .groupBy('state')
    .orderBy('state')
    .execute()
  const tasks = Object.fromEntries(states.map(({ state, count }) => [state as TaskState, Number(count)]))
  return { tasks, waiting: await measureWaiting(db, agent) }
}

/** A task with work left has a wake mark: those that have none need no look. */
async function measureWaiting(db: Kysely<Schema>, agent: string): Promise<Heartbeat['waiting']> {
  const kinds = await db
    .selectFrom('wakes')
    .innerJoin('inbox', 'inbox.task_id', 'wakes.task_id')
    .select((eb) => [
      'inbox.kind',
      eb.fn.countAll<number | string>().as('count'),
      eb.fn.min<number | string>('inbox.received_at').as('oldest'),
    ])
    .where('wakes.agent', '=', agent)
    .where('inbox.handled', '=', 0)
    .where('inbox.turn', 'is', null)
    .groupBy('inbox.kind')
    .execute()
  const countOf = (kind: string): number => Number(kinds.find((row) => row.kind === kind)?.count ?? 0)
  const oldest = kinds.map((row) => Number(row.oldest))
  return {
    messages: countOf('message') + countOf('authorization'),
    commands: countOf('command'),
    ...(oldest.length > 0 && { oldest: toTimestamp(Math.min(...oldest)) }),
  }
}
