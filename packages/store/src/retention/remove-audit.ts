import type { Kysely } from 'kysely'
import type { Schema } from '../schema.js'
import type { Removal } from '../task-store.js'

const MOST = 1000

/** Deletes audit rows of an agent that are of `before`, in milliseconds since the epoch, or earlier. */
export async function removeAudit(db: Kysely<Schema>, agent: string, before: number): Promise<Removal> {
  const old = db.selectFrom('audit').select('id').where('agent', '=', agent).where('at', '<=', before).limit(MOST)
  const { numDeletedRows } = await db.deleteFrom('audit').where('id', 'in', old).executeTakeFirstOrThrow()
  const removed = Number(numDeletedRows)
  return { removed, more: removed === MOST }
}
