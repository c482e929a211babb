import type { StreamResponseJson, TaskState } from '@moorage/protocol'
import type { Kysely, Selectable } from 'kysely'
import type { InternalEntry, LogEntry } from '../log-entry.js'
import type { Schema, TaskEventsTable } from '../schema.js'
import { toTimestamp } from '../task-json.js'

/** At most `limit` entries after `after`, in order. */
export async function readLog(db: Kysely<Schema>, id: string, after: number, limit: number): Promise<readonly LogEntry[]> {
  const rows = await db
    .selectFrom('task_events')
    .select(['seq', 'at', 'state', 'handled', 'reply_to', 'payload'])
    .where('task_id', '=', id)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(toLogEntry)
}

function toLogEntry(row: Omit<Selectable<TaskEventsTable>, 'task_id' | 'turn'>): LogEntry {
  return {
    seq: row.seq,
    at: toTimestamp(row.at),
    state: row.state as TaskState,
    handled: row.handled,
    ...(row.reply_to === null ? {} : { replyTo: row.reply_to }),
    payload: JSON.parse(row.payload) as StreamResponseJson | InternalEntry,
  }
}
