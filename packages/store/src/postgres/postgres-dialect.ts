import { sql } from 'kysely'
import type { MigrationDialect } from '../migrations/migration-dialect.js'

/** Texts are ordered by their bytes, as in SQLite, whatever the order of the database is. */
export const postgresDialect: MigrationDialect = {
  text: sql<string>`text collate "C"`,
  clustered: (table) => table,
  numbered: (table) => table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity()),
}
