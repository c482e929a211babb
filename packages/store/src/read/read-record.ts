import type { TaskState } from '@moorage/protocol'
import type { Kysely } from 'kysely'
import type { ParticipantRole, Participation } from '../principal.js'
import type { Schema } from '../schema.js'
import type { TaskRecord } from '../task-store.js'

/** The columns of a task that its record is made from. */
export type TaskRecordRow = Pick<Schema['tasks'], 'id' | 'agent' | 'tenant' | 'context_id' | 'state' | 'seq' | 'position' | 'handled'>

export async function readRecord(db: Kysely<Schema>, id: string): Promise<TaskRecord | undefined> {
  const row = await db
    .selectFrom('tasks')
    .select(['id', 'agent', 'tenant', 'context_id', 'state', 'seq', 'position', 'handled'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toRecord(row, await readParticipants(db, id))
}

export function toRecord(row: TaskRecordRow, participants: readonly Participation[]): TaskRecord {
  return {
    id: row.id,
    agent: row.agent,
    tenant: row.tenant,
    contextId: row.context_id,
    state: row.state as TaskState,
    seq: row.seq,
    position: row.position,
    handled: row.handled,
    participants,
  }
}

export async function readParticipants(db: Kysely<Schema>, id: string): Promise<readonly Participation[]> {
  const rows = await db
    .selectFrom('task_participants')
    .select(['participant', 'role'])
    .where('task_id', '=', id)
    .orderBy('participant')
    .orderBy('role')
    .execute()
  return rows.map((row) => ({ participant: row.participant, role: row.role as ParticipantRole }))
}
