import type { Kysely, Selectable } from 'kysely'
import type { FoundPushConfig, PushConfigPage, PushConfigQuery, PushConfigRecord } from '../push-config.js'
import type { PushConfigsTable, Schema } from '../schema.js'
import { readRecord } from './read-record.js'

/** To be called in a transaction, so that both are of one moment. */
export async function readPushConfig(db: Kysely<Schema>, taskId: string, id: string): Promise<FoundPushConfig | undefined> {
  const record = await readRecord(db, taskId)
  if (!record) return undefined
  const row = await db.selectFrom('push_configs').selectAll().where('task_id', '=', taskId).where('config_id', '=', id).executeTakeFirst()
  return { record, config: row && toConfig(row) }
}

/** To be called in a transaction, so that all is of one moment. */
export async function readPushConfigs(
  db: Kysely<Schema>,
  taskId: string,
  { pageSize, after = 0 }: PushConfigQuery,
): Promise<PushConfigPage | undefined> {
  const record = await readRecord(db, taskId)
  if (!record) return undefined
  const rows = await db
    .selectFrom('push_configs')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('ordinal', '>', after)
    .orderBy('ordinal')
    .limit(pageSize + 1)
    .execute()
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return { record, configs: page.map(toConfig), ...(last && rows.length > page.length && { next: last.ordinal }) }
}

function toConfig(row: Selectable<PushConfigsTable>): PushConfigRecord {
  return {
    id: row.config_id,
    url: row.url,
    ...(row.scheme !== null && { scheme: row.scheme }),
    ...(row.sealed !== null && { sealed: row.sealed }),
    wireVersion: row.wire_version,
  }
}
