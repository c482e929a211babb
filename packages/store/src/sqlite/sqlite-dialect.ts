import { sql } from 'kysely'
import type { MigrationDialect } from '../migrations/migration-dialect.js'

/** WITHOUT ROWID keeps a short row in its key's own tree: one write and one search instead of two. */
export const sqliteDialect: MigrationDialect = {
  text: 'text',
  clustered: (table) => table.modifyEnd(sql`without rowid`),
  numbered: (table) => table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),
}
