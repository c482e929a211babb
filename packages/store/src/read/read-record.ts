import type { TaskState } from '@moorage/protocol'
import type { Kysely } from 'kysely'
import type { ParticipantRole, Participation } from '../principal.js'
import type { Schema } from '../schema.js'
import type { TaskRecord } from '../task-store.js'

/** The columns of a task that its record is made from. */
export type TaskRecordRow = Pick<Schema['tasks'], 'id' | 'agent' | 'tenant' | 'context_id' | 'state' | 'seq' | 'position' | 'handled'>

/** One statement, and so of one moment. */
export async function readRecord(db: Kysely<Schema>, id: string): Promise<TaskRecord | undefined> {
  const rows = await db
    .selectFrom('tasks')
    .leftJoin('task_participants as p', 'p.task_id', 'tasks.id')
    .select(['id', 'agent', 'tenant', 'context_id', 'state', 'seq', 'position', 'handled', 'p.participant', 'p.role'])
    .where('id', '=', id)
    .orderBy('p.participant')
    .orderBy('p.role')
    .execute()
  const [row] = rows
  return row && toRecord(row, toParticipations(rows))
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
  return toParticipations(rows)
}

type ParticipationRow = { readonly participant: string | null; readonly role: string | null }

function toParticipations(rows: readonly ParticipationRow[]): readonly Participation[] {
  return rows.flatMap(({ participant, role }) => (participant === null ? [] : [{ participant, role: role as ParticipantRole }]))
}
