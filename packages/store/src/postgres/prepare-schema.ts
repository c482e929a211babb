import { type Kysely, sql } from 'kysely'
import { isMigrated, migrate } from '../migrations/migrate.js'
import type { Schema } from '../schema.js'
import { Deadline } from './deadline.js'
import { postgresDialect } from './postgres-dialect.js'
import type { Session } from './session.js'
import { inTransaction } from './transaction.js'
import type { Transactor } from './transactor.js'

/** "Moorage", as a key among the advisory locks of the database. */
export const MIGRATION_LOCK = 0x4d6f6f72616765n
/** A migration may have much to do, or wait for another process's: it is not a call that somebody waits for. */
const MIGRATION_MS = 60_000
/** Before the client gives up, so that the database says what the migration waited for. */
const SERVER_MS = MIGRATION_MS - 2000
const TIMEOUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/** The whole migration is one transaction, and one at a time: whoever comes meanwhile waits, and finds it done. */
export async function prepareSchema(transactor: Transactor): Promise<void> {
  const migrated = await transactor.ask(async ({ db }) => {
    await assertUsable(db)
    return isMigrated(db, postgresDialect)
  })
  if (!migrated) await transactor.ask(migrateAlone, new Deadline(MIGRATION_MS))
}

async function assertUsable(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(db)
  const encoding = rows[0]?.encoding
  if (encoding !== 'UTF8')
    throw new Error(`its encoding is ${encoding}, which does not keep every text: it must be made with encoding UTF8`)
  const [schema] = await db.introspection.getSchemas()
  if (!schema) throw new Error('there is no schema to make tables in: the search_path names none that exists')
}

async function migrateAlone(session: Session): Promise<void> {
  const { db } = session
  await inTransaction(
    session,
    () => session.ask('begin isolation level read committed'),
    async () => {
      for (const name of TIMEOUTS) await sql`select set_config(${name}, ${String(SERVER_MS)}, true)`.execute(db)
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(db)
      await migrate(db, postgresDialect)
    },
  )
}
