import type { Kysely } from 'kysely'
import type { Schema } from '../schema.js'
import { toTimestamp } from '../task-json.js'
import type { Heartbeat } from './heartbeat.js'

/** Writes the heartbeat of `at`, in milliseconds since the epoch, over the agent's last one. */
export async function writeHeartbeat(db: Kysely<Schema>, at: number, heartbeat: Omit<Heartbeat, 'at'>): Promise<void> {
  const snapshot = JSON.stringify({ at: toTimestamp(at), ...heartbeat } satisfies Heartbeat)
  await db
    .insertInto('heartbeats')
    .values({ agent: heartbeat.agent, snapshot })
    .onConflict((conflict) => conflict.column('agent').doUpdateSet({ snapshot }))
    .execute()
}

/** The agent's last heartbeat, if it has had one. */
export async function readHeartbeat(db: Kysely<Schema>, agent: string): Promise<Heartbeat | undefined> {
  const row = await db.selectFrom('heartbeats').select('snapshot').where('agent', '=', agent).executeTakeFirst()
  return row && (JSON.parse(row.snapshot) as Heartbeat)
}
