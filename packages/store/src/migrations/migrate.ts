import { type Kysely, type Migration, Migrator } from 'kysely'
import type { Schema } from '../schema.js'
import { createInitialSchema } from './m0001-initial.js'
import type { MigrationDialect } from './migration-dialect.js'

const APPLIED_TABLE = 'schema_migrations'

/** In the order of their names, which are recorded in the database. */
function migrations(dialect: MigrationDialect): Record<string, Migration> {
  return { '0001-initial': { up: (db) => createInitialSchema(db, dialect) } }
}

/** Whether the schema is the one this version works with. @throws when a newer version has changed it. */
export async function isMigrated(db: Kysely<Schema>, dialect: MigrationDialect): Promise<boolean> {
  const known = new Set(Object.keys(migrations(dialect)))
  const applied = await appliedMigrations(db)
  const unknown = applied.find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new Error(
      `This database was written by a newer version of Moorage (it has the migration '${unknown}', which this version does not know). ` +
        'Run that version or a later one, or name another database.',
    )
  }
  return applied.length === known.size
}

/** Brings the schema up to date; does nothing where it is. To be called in a transaction that excludes other migrations. @throws when a newer version has changed it. */
export async function migrate(db: Kysely<Schema>, dialect: MigrationDialect): Promise<void> {
  if (await isMigrated(db, dialect)) return
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations(dialect) },
    migrationTableName: APPLIED_TABLE,
    migrationLockTableName: 'schema_migration_lock',
    // The caller's transaction holds all of it.
    disableTransactions: true,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

async function appliedMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === APPLIED_TABLE)) return []
  const rows = await db.withTables<{ [APPLIED_TABLE]: { name: string } }>().selectFrom(APPLIED_TABLE).select('name').execute()
  return rows.map((row) => row.name)
}
