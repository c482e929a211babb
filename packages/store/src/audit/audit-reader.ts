import type { Kysely } from 'kysely'
import type { Sender } from '../principal.js'
import type { Schema } from '../schema.js'

/** A row of the audit as it is kept. `id` orders the rows as they were written; `at` is in milliseconds since the epoch. */
export interface AuditEntry {
  readonly id: number
  readonly at: number
  readonly agent: string
  readonly sender: Sender
  readonly operation: string
  readonly outcome: string
  readonly position?: number
  readonly reason?: string
}

/** Reads the audit of a database beside the processes that write it, and changes nothing. */
export interface AuditReader {
  /**
   * The rows of a task that come after the row with the id `after`, in the order in which they were written; those of a removed task too.
   * @throws StoreUnavailableError when the database does not answer.
   */
  read(taskId: string, after: number, limit: number): Promise<readonly AuditEntry[]>
  close(): Promise<void>
}

export async function readAudit(db: Kysely<Schema>, taskId: string, after: number, limit: number): Promise<readonly AuditEntry[]> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, at, agent, tenant, subject, participant, operation, outcome, position, reason }) => ({
    id,
    at,
    agent,
    sender: { tenant, subject, participant },
    operation,
    outcome,
    ...(position !== null && { position }),
    ...(reason !== null && { reason }),
  }))
}

/** There is a database, but Moorage has never made its tables in it. */
export const NOT_OURS = 'Moorage has made no tables in it'
