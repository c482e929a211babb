import { randomBytes, randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { MigrationDialect } from './migration-dialect.js'

interface Meta {
  readonly meta: { name: string; value: string }
}

/** Makes every table, and the two values that name and secure this database. Released migrations are never changed. */
export async function createInitialSchema(db: Kysely<Meta>, dialect: MigrationDialect): Promise<void> {
  await createTasks(db, dialect)
  await createLog(db, dialect)
  await createInbox(db, dialect)
  await createArtifacts(db, dialect)
  await createTurns(db, dialect)
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

async function createTasks(db: Kysely<Meta>, dialect: MigrationDialect): Promise<void> {
  const { text } = dialect
  await db.schema
    .createTable('tasks')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('agent', text, (column) => column.notNull())
    .addColumn('tenant', text, (column) => column.notNull())
    .addColumn('context_id', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('status_at', 'bigint', (column) => column.notNull())
    .addColumn('status_message', text)
    .addColumn('status_ordinal', 'integer')
    .addColumn('metadata', text)
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('handled', 'integer', (column) => column.notNull())
    .addColumn('message_count', 'integer', (column) => column.notNull())
    .addColumn('artifact_count', 'integer', (column) => column.notNull())
    .addColumn('turn', 'integer', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('held', text)
    .addColumn('withheld', text)
    .execute()
  await db.schema.createIndex('tasks_list').on('tasks').columns(['agent', 'tenant', 'status_at desc', 'id desc']).execute()
  await db.schema.createIndex('tasks_context').on('tasks').columns(['agent', 'tenant', 'context_id', 'status_at desc', 'id desc']).execute()
  await db.schema.createIndex('tasks_state').on('tasks').columns(['agent', 'state', 'status_at']).execute()
  await dialect
    .clustered(db.schema.createTable('task_participants'))
    .addColumn('task_id', text, (column) => column.notNull())
    .addColumn('participant', text, (column) => column.notNull())
    .addColumn('roles', text, (column) => column.notNull())
    .addColumn('agent', text, (column) => column.notNull())
    .addColumn('tenant', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('task_participants_key', ['task_id', 'participant'])
    .execute()
  await db.schema
    .createIndex('task_participants_tasks')
    .on('task_participants')
    .columns(['participant', 'tenant', 'agent', 'task_id'])
    .execute()
}

async function createLog(db: Kysely<Meta>, { text }: MigrationDialect): Promise<void> {
  await db.schema
    .createTable('task_history')
    .addColumn('task_id', text, (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('message', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('task_history_key', ['task_id', 'ordinal'])
    .execute()
  await db.schema
    .createTable('task_events')
    .addColumn('task_id', text, (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('handled', 'integer', (column) => column.notNull())
    .addColumn('turn', 'integer')
    .addColumn('reply_to', 'integer')
    .addColumn('payload', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('task_events_key', ['task_id', 'seq'])
    .execute()
}

async function createInbox(db: Kysely<Meta>, { text }: MigrationDialect): Promise<void> {
  await db.schema
    .createTable('inbox')
    .addColumn('task_id', text, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('message_key', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('message', text, (column) => column.notNull())
    .addColumn('command', text)
    .addColumn('args', text)
    .addColumn('tenant', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('participant', text, (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('cursor', 'integer', (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('handled', 'integer', (column) => column.notNull())
    .addColumn('turn', 'integer')
    .addColumn('claim', 'integer', (column) => column.notNull())
    .addColumn('scheduling', text)
    .addColumn('scheduling_attempt', 'integer', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failed_claim', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('inbox_key', ['task_id', 'position'])
    .addUniqueConstraint('inbox_message_key', ['message_key'])
    .execute()
  await db.schema.createIndex('inbox_waiting').on('inbox').columns(['task_id', 'handled', 'position']).execute()
}

async function createArtifacts(db: Kysely<Meta>, dialect: MigrationDialect): Promise<void> {
  const { text } = dialect
  await dialect
    .clustered(db.schema.createTable('artifacts'))
    .addColumn('task_id', text, (column) => column.notNull())
    .addColumn('artifact_id', text, (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('name', text)
    .addColumn('description', text)
    .addColumn('parts', 'integer', (column) => column.notNull())
    .addColumn('discarded', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('artifacts_key', ['task_id', 'artifact_id'])
    .execute()
  await db.schema
    .createTable('artifact_parts')
    .addColumn('task_id', text, (column) => column.notNull())
    .addColumn('artifact_id', text, (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('part', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('artifact_parts_key', ['task_id', 'artifact_id', 'ordinal'])
    .execute()
}

async function createTurns(db: Kysely<Meta>, dialect: MigrationDialect): Promise<void> {
  const { text } = dialect
  await dialect
    .clustered(db.schema.createTable('turns'))
    .addColumn('task_id', text, (column) => column.notNull())
    .addColumn('turn', 'integer', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failed_attempt', 'integer', (column) => column.notNull())
    .addColumn('batch', 'integer', (column) => column.notNull())
    .addColumn('scheduling', text, (column) => column.notNull())
    .addColumn('scheduling_attempt', 'integer', (column) => column.notNull())
    .addColumn('outcome', text)
    .addColumn('opened_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('turns_key', ['task_id', 'turn'])
    .execute()
  await db.schema
    .createTable('turn_artifacts')
    .addColumn('task_id', text, (column) => column.notNull())
    .addColumn('turn', 'integer', (column) => column.notNull())
    .addColumn('artifact_id', text, (column) => column.notNull())
    .addColumn('existed', 'integer', (column) => column.notNull())
    .addColumn('parts', 'integer', (column) => column.notNull())
    .addColumn('replaced', text)
    .addColumn('name', text)
    .addColumn('description', text)
    .addPrimaryKeyConstraint('turn_artifacts_key', ['task_id', 'turn', 'artifact_id'])
    .execute()
  await db.schema
    .createTable('steps')
    .addColumn('task_id', text, (column) => column.notNull())
    .addColumn('turn', 'integer', (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('steps_key', ['task_id', 'turn', 'name'])
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
