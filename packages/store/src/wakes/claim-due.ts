import type { Kysely } from 'kysely'
import type { InboxKind, Waiting } from '../inbox-row.js'
import type { Schema } from '../schema.js'
import type { DueTask } from '../task-store.js'
import { writeTogether } from '../transaction/transaction-context.js'

const LONGEST_DELAY_MS = 10 * 60_000
const JITTER = 0.2
/** Doubled so often, a millisecond is longer than the longest delay; far more often, it would be no number. */
const MOST_DOUBLINGS = 30

/** What a sweep asks for: `now` in milliseconds since the epoch, `random` from 0 to 1. */
export interface Sweep {
  readonly agents: readonly string[]
  readonly limit: number
  readonly now: number
  readonly wakeAfterMs: number
  readonly random: () => number
  /** Whether to lock the rows, past those that another sweep has locked: where sweeps run at the same time. */
  readonly skipLocked?: boolean
}

/** Whether there is anything to claim: a read that takes no lock. */
export async function hasDue(db: Kysely<Schema>, sweep: Sweep): Promise<boolean> {
  return (await selectDue(db, { ...sweep, limit: 1 })).length > 0
}

/** Moves the wakes that are due, oldest first, and returns their tasks. To be called in a transaction. */
export async function claimDue(db: Kysely<Schema>, sweep: Sweep): Promise<readonly DueTask[]> {
  const due = await selectDue(db, sweep)
  const claimed = due.filter((wake) => wake.found !== null)
  const orphans = due.filter((wake) => wake.found === null).map((wake) => wake.task_id)
  if (orphans.length > 0) await db.deleteFrom('wakes').where('task_id', 'in', orphans).execute()
  const moves = claimed.map((wake) =>
    db
      .updateTable('wakes')
      .set({ due: sweep.now + nextDelay(wake.tries, sweep), tries: wake.tries + 1 })
      .where('task_id', '=', wake.task_id),
  )
  await writeTogether(moves.map((move) => () => move.execute()))
  const unhandled = await readUnhandled(
    db,
    claimed.map((wake) => wake.task_id),
  )
  return claimed.map((wake) => ({ taskId: wake.task_id, agent: wake.agent, unhandled: unhandled.get(wake.task_id) ?? [] }))
}

/** Doubles with each try, up to ten minutes, and a little more at random, so that tasks woken together do not stay together. */
function nextDelay(tries: number, sweep: Sweep): number {
  const delay = Math.min(sweep.wakeAfterMs * 2 ** Math.min(tries, MOST_DOUBLINGS), Math.max(LONGEST_DELAY_MS, sweep.wakeAfterMs))
  return Math.round(delay * (1 + JITTER * sweep.random()))
}

/** No mark is set further ahead than this: one that is was made before the clock was put back, and is due. */
function longestDelay({ wakeAfterMs }: Sweep): number {
  return Math.ceil(Math.max(LONGEST_DELAY_MS, wakeAfterMs) * (1 + JITTER))
}

function selectDue(db: Kysely<Schema>, sweep: Sweep) {
  const due = db
    .selectFrom('wakes')
    .leftJoin('tasks', 'tasks.id', 'wakes.task_id')
    .select(['wakes.task_id', 'wakes.agent', 'wakes.tries', 'tasks.id as found'])
    .where('wakes.agent', 'in', sweep.agents)
    .where((eb) => eb.or([eb('wakes.due', '<=', sweep.now), eb('wakes.due', '>', sweep.now + longestDelay(sweep))]))
    .orderBy('wakes.due')
    .limit(sweep.limit)
  return (sweep.skipLocked ? due.forUpdate('wakes').skipLocked() : due).execute()
}

async function readUnhandled(db: Kysely<Schema>, ids: readonly string[]): Promise<ReadonlyMap<string, readonly Waiting[]>> {
  const unhandled = new Map<string, Waiting[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return unhandled
  const rows = await db
    .selectFrom('inbox')
    .select(['task_id', 'position', 'kind'])
    .where('task_id', 'in', ids)
    .where('handled', '=', 0)
    .orderBy('task_id')
    .orderBy('position')
    .execute()
  for (const row of rows) unhandled.get(row.task_id)?.push({ position: row.position, kind: row.kind as InboxKind })
  return unhandled
}
