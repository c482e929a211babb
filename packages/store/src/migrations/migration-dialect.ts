import type { CreateTableBuilder } from 'kysely'

/** Where the databases differ in how a table is made. */
export interface MigrationDialect {
  /** For a table of short rows that are found by their primary key alone. */
  clustered<T extends string, C extends string>(table: CreateTableBuilder<T, C>): CreateTableBuilder<T, C>
  /** Adds the primary key `id`, numbered by the database, no number twice. */
  numbered<T extends string>(table: CreateTableBuilder<T>): CreateTableBuilder<T, 'id'>
}
