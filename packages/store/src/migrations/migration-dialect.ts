import type { CreateTableBuilder, RawBuilder } from 'kysely'

/** Where the databases differ in how a table is made. */
export interface MigrationDialect {
  /** Text that is compared and ordered by its bytes. */
  readonly text: 'text' | RawBuilder<string>
  /** For a table of short rows that are found by their primary key alone. */
  clustered<T extends string, C extends string>(table: CreateTableBuilder<T, C>): CreateTableBuilder<T, C>
  /** Adds the primary key `id`, numbered by the database, no number twice. */
  numbered<T extends string>(table: CreateTableBuilder<T>): CreateTableBuilder<T, 'id'>
}
