import type { Kysely } from 'kysely'
import type { Schema } from '../schema.js'
import { buildTask } from '../task-json.js'
import type { TaskSnapshot } from '../task-store.js'
import { readArtifacts, readHistories } from './read-content.js'
import { readParticipants, toRecord } from './read-record.js'

/** To be called in a transaction, so that everything is of one moment. */
export async function readSnapshot(db: Kysely<Schema>, id: string, historyLength?: number): Promise<TaskSnapshot | undefined> {
  const row = await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const participants = await readParticipants(db, id)
  const artifacts = await readArtifacts(db, [id])
  const history = historyLength === 0 ? undefined : await readHistories(db, [id], historyLength)
  return {
    record: toRecord(row, participants),
    task: buildTask(row, { artifacts: artifacts.get(id) ?? [], history: history?.get(id) ?? [] }),
  }
}
