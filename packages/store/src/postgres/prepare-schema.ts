import { sql } from 'kysely'
import { isMigrated, migrate } from '../migrations/migrate.js'
import { postgresDialect } from './postgres-dialect.js'
import type { Session } from './session.js'
import { inTransaction } from './transaction.js'

/** "Moorage", as a key among the advisory locks of the database. */
const MIGRATION_LOCK = 0x4d6f6f72616765n

/** The whole migration is one transaction, and one at a time: whoever comes meanwhile waits, and finds it done. */
export async function prepareSchema(session: Session): Promise<void> {
  const [schema] = await session.db.introspection.getSchemas()
  if (!schema) throw new Error('there is no schema to make tables in: the search_path names none that exists')
  if (await isMigrated(session.db, postgresDialect)) return
  await inTransaction(
    session,
    () => session.ask('begin isolation level read committed'),
    async () => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(session.db)
      await migrate(session.db, postgresDialect)
    },
  )
}
