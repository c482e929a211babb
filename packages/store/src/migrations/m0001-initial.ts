import { randomBytes, randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createTaskTables } from './m0001-tasks.js'
import type { MigrationDialect } from './migration-dialect.js'

interface Meta {
  readonly meta: { name: string; value: string }
}

/** Makes every table, and the two values that name and secure this database. Released migrations are never changed. */
export async function createInitialSchema(db: Kysely<Meta>, dialect: MigrationDialect): Promise<void> {
  await createTaskTables(db, dialect)
  await createPushConfigs(db, dialect)
  await createMarks(db, dialect)
  await createUpkeep(db, dialect)
  await dialect
    .clustered(db.schema.createTable('meta'))
    .addColumn('name', dialect.text, (column) => column.primaryKey().notNull())
    .addColumn('value', dialect.text, (column) => column.notNull())
    .execute()
  await db
    .insertInto('meta')
    .values([
      { name: 'store_id', value: randomId(12) },
      { name: 'token_key', value: randomBytes(32).toString('base64') },
    ])
    .execute()
}

async function createPushConfigs(db: Kysely<Meta>, { text }: MigrationDialect): Promise<void> {
  await db.schema
    .createTable('push_configs')
    .addColumn('task_id', text, (column) => column.notNull())
    .addColumn('config_id', text, (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('scheme', text)
    .addColumn('sealed', text)
    .addColumn('wire_version', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('push_configs_key', ['task_id', 'config_id'])
    .execute()
}

async function createMarks(db: Kysely<Meta>, dialect: MigrationDialect): Promise<void> {
  const { text } = dialect
  await dialect
    .clustered(db.schema.createTable('wakes'))
    .addColumn('task_id', text, (column) => column.primaryKey().notNull())
    .addColumn('agent', text, (column) => column.notNull())
    .addColumn('due', 'bigint', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('wakes_due').on('wakes').columns(['agent', 'due']).execute()
  await dialect
    .numbered(db.schema.createTable('audit'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('agent', text, (column) => column.notNull())
    .addColumn('tenant', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('participant', text, (column) => column.notNull())
    .addColumn('task_id', text)
    .addColumn('operation', text, (column) => column.notNull())
    .addColumn('outcome', text, (column) => column.notNull())
    .addColumn('position', 'integer')
    .addColumn('reason', text)
    .execute()
  await db.schema.createIndex('audit_task').on('audit').columns(['task_id']).execute()
  await db.schema.createIndex('audit_age').on('audit').columns(['agent', 'at']).execute()
}

async function createUpkeep(db: Kysely<Meta>, dialect: MigrationDialect): Promise<void> {
  const { text } = dialect
  await dialect
    .clustered(db.schema.createTable('removals'))
    .addColumn('task_id', text, (column) => column.primaryKey().notNull())
    .addColumn('agent', text, (column) => column.notNull())
    .execute()
  await dialect
    .clustered(db.schema.createTable('heartbeats'))
    .addColumn('agent', text, (column) => column.primaryKey().notNull())
    .addColumn('snapshot', text, (column) => column.notNull())
    .execute()
}

function randomId(length: number): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
