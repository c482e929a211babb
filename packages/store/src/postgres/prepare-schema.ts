import { type Kysely, sql } from 'kysely'
import { isMigrated, migrate } from '../migrations/migrate.js'
import type { Schema } from '../schema.js'
import { postgresDialect } from './postgres-dialect.js'
import type { Session } from './session.js'
import { inTransaction } from './transaction.js'

/** "Moorage", as a key among the advisory locks of the database. */
const MIGRATION_LOCK = 0x4d6f6f72616765n

/** The whole migration is one transaction, and one at a time: whoever comes meanwhile waits, and finds it done. */
export async function prepareSchema(session: Session): Promise<void> {
  const dialect = postgresDialect(await currentSchema(session.db))
  if (await isMigrated(session.db, dialect)) return
  await inTransaction(
    session,
    () => session.ask('begin isolation level read committed'),
    async () => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(session.db)
      await migrate(session.db, dialect)
    },
  )
}

async function currentSchema(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ schema: string | null }>`select current_schema()::text as schema`.execute(db)
  const schema = rows[0]?.schema
  if (!schema) throw new Error('there is no schema to make tables in: the search_path names none that exists')
  return schema
}
