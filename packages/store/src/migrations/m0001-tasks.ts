import type { Kysely } from 'kysely'
import type { MigrationDialect } from './migration-dialect.js'

type Database = Pick<Kysely<unknown>, 'schema'>

/** Makes the tables of a task, its log, its inbox, its artifacts and its turns. */
export async function createTaskTables(db: Database, dialect: MigrationDialect): Promise<void> {
  await createTasks(db, dialect)
  await createLog(db, dialect)
  await createInbox(db, dialect)
  await createArtifacts(db, dialect)
  await createTurns(db, dialect)
}

async function createTasks(db: Database, dialect: MigrationDialect): Promise<void> {
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

async function createLog(db: Database, { text }: MigrationDialect): Promise<void> {
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

async function createInbox(db: Database, { text }: MigrationDialect): Promise<void> {
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
    .addColumn('annotations', text)
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

async function createArtifacts(db: Database, dialect: MigrationDialect): Promise<void> {
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

async function createTurns(db: Database, dialect: MigrationDialect): Promise<void> {
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
    .addColumn('auth_scheme', text)
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
