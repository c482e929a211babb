import type { StreamResponseJson, TaskState } from '@moorage/protocol'
import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { InternalEntry } from '../log-entry.js'
import type { Schema, TaskEventsTable } from '../schema.js'
import { toTimestamp } from '../task-json.js'
import type { StoredEntry } from './stored-entry.js'

type EntryRow = Omit<Selectable<TaskEventsTable>, 'task_id' | 'turn'>

/** How much of a log is read at once: no further entry where those before it have as many bytes. */
export interface PageSize {
  readonly entries: number
  readonly bytes?: number
}

/**
 * A page of what comes after `after`, in order; undefined where there is no such task, whose log may be half deleted. One statement, and so of one
 * moment: its last row says that the task is there.
 */
export async function readLog(db: Kysely<Schema>, id: string, after: number, size: PageSize): Promise<readonly StoredEntry[] | undefined> {
  const rest = db.selectFrom('task_events').where('task_id', '=', id).where('seq', '>', after).orderBy('seq')
  const page = rest.select(['seq', 'at', 'state', 'handled', 'reply_to', 'payload']).limit(size.entries)
  const entries = size.bytes === undefined ? page : page.where('seq', '<=', lastWithin(rest, size.entries, size.bytes))
  const { rows } = await sql<EntryRow | { readonly seq: null }>`select * from (${entries}) as entries
    union all select null, null, null, null, null, null from tasks where id = ${id}`.execute(db)
  if (!rows.some((row) => row.seq === null)) return undefined
  const found = rows.filter((row) => row.seq !== null)
  return found.sort((one, other) => one.seq - other.seq).map(toStoredEntry)
}

/** The last entry before which there are fewer bytes. The payloads themselves are not read for it. */
function lastWithin(rest: SelectQueryBuilder<Schema, 'task_events', object>, entries: number, bytes: number): RawBuilder<number> {
  const lengths = rest.select(['seq', sql<number>`octet_length(payload)`.as('bytes')]).limit(entries)
  return sql<number>`(select max(seq) from (
    select seq, sum(bytes) over (order by seq rows between unbounded preceding and 1 preceding) as bytes_before from (${lengths}) as lengths
  ) as sums where coalesce(bytes_before, 0) < ${bytes})`
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
