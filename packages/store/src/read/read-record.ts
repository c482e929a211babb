import type { TaskState } from '@moorage/protocol'
import type { Kysely } from 'kysely'
import { fromRows } from '../participations.js'
import type { Participation } from '../principal.js'
import type { Schema, TaskParticipantsTable } from '../schema.js'
import type { TaskRecord } from '../task-store.js'
import { directness } from '../transaction/direct.js'

/** The columns of a task that its record is made from. */
export type TaskRecordRow = Pick<
  Schema['tasks'],
  'id' | 'agent' | 'tenant' | 'context_id' | 'state' | 'seq' | 'position' | 'handled' | 'withheld'
>

export async function readRecord(db: Kysely<Schema>, id: string): Promise<TaskRecord | undefined> {
  return (await readRecords(db, [id])).get(id)
}

/** Those of the tasks that there are, by id. One statement, and so of one moment. */
export async function readRecords(db: Kysely<Schema>, ids: readonly string[]): Promise<ReadonlyMap<string, TaskRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('tasks as t')
    .leftJoin('task_participants as p', 'p.task_id', 't.id')
    .select([
      't.id',
      't.agent',
      't.tenant',
      't.context_id',
      't.state',
      't.seq',
      't.position',
      't.handled',
      't.withheld',
      'p.participant',
      'p.roles',
    ])
    .where('t.id', 'in', ids)
    .orderBy('t.id')
    .orderBy('p.participant')
    .execute()
  const participants = new Map<string, Pick<TaskParticipantsTable, 'participant' | 'roles'>[]>()
  for (const { id, participant, roles } of rows) {
    const held = participants.get(id) ?? []
    participants.set(id, participant === null || roles === null ? held : [...held, { participant, roles }])
  }
  return new Map(rows.map((row) => [row.id, toRecord(row, fromRows(participants.get(row.id) ?? []))]))
}

export function toRecord(row: TaskRecordRow, participants: readonly Participation[]): TaskRecord {
  const direct = directness(row)
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
    ...(direct && { direct }),
  }
}

export async function readParticipants(db: Kysely<Schema>, id: string): Promise<readonly Participation[]> {
  const rows = await db
    .selectFrom('task_participants')
    .select(['participant', 'roles'])
    .where('task_id', '=', id)
    .orderBy('participant')
    .execute()
  return fromRows(rows)
}
