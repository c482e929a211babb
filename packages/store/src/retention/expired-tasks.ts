import { isTerminal, TASK_STATES } from '@moorage/protocol'
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
  return db
    .selectFrom('tasks')
    .where('tasks.agent', '=', agent)
    .where('tasks.state', 'in', TASK_STATES.filter(isTerminal))
    .where('tasks.status_at', '<=', before)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('wakes').select('wakes.task_id').whereRef('wakes.task_id', '=', 'tasks.id'))))
}
