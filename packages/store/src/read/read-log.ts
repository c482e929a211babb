import type { StreamResponseJson, TaskState } from '@moorage/protocol'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { InternalEntry } from '../log-entry.js'
import type { Schema, TaskEventsTable } from '../schema.js'
import { toTimestamp } from '../task-json.js'
import type { StoredEntry } from './stored-entry.js'

type EntryRow = Omit<Selectable<TaskEventsTable>, 'task_id' | 'turn'>

/**
 * At most `limit` entries after `after`, in order; undefined where there is no such task, whose log may be half deleted. One statement, and so of one
 * moment: its last row says that the task is there.
 */
export async function readLog(db: Kysely<Schema>, id: string, after: number, limit: number): Promise<readonly StoredEntry[] | undefined> {
  const entries = db
    .selectFrom('task_events')
    .select(['seq', 'at', 'state', 'handled', 'reply_to', 'payload'])
    .where('task_id', '=', id)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
  const { rows } = await sql<EntryRow | { readonly seq: null }>`select * from (${entries}) as entries
    union all select null, null, null, null, null, null from tasks where id = ${id}`.execute(db)
  if (!rows.some((row) => row.seq === null)) return undefined
  const found = rows.filter((row) => row.seq !== null)
  return found.sort((one, other) => one.seq - other.seq).map(toStoredEntry)
}

function toStoredEntry(row: EntryRow): StoredEntry {
  const entry = {
    seq: row.seq,
    at: toTimestamp(row.at),
    state: row.state as TaskState,
    handled: row.handled,
    ...(row.reply_to === null ? {} : { replyTo: row.reply_to }),
    payload: JSON.parse(row.payload) as StreamResponseJson | InternalEntry,
  }
  return { entry, bytes: Buffer.byteLength(row.payload) }
}
