import {
  type DatabaseIntrospector,
  type DatabaseMetadata,
  type DialectAdapter,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type SchemaMetadata,
  sql,
  type TableMetadata,
} from 'kysely'

/** Kysely's own dialect, but that it looks only at the tables of our schema, and leaves the lock of a migration to us. */
export class SessionDialect extends PostgresDialect {
  override createAdapter(): DialectAdapter {
    return new SessionAdapter()
  }

  // biome-ignore lint/suspicious/noExplicitAny: so says the interface
  override createIntrospector(db: Kysely<any>): DatabaseIntrospector {
    return new SchemaIntrospector(db)
  }
}

/** `prepareSchema` has a lock that ends with its transaction. */
class SessionAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** The database may have thousands of tables, which others make and drop meanwhile. */
class SchemaIntrospector implements DatabaseIntrospector {
  readonly #db: Kysely<unknown>

  constructor(db: Kysely<unknown>) {
    this.#db = db
  }

  async getSchemas(): Promise<SchemaMetadata[]> {
    const { rows } = await sql<SchemaMetadata>`select current_schema()::text as name where current_schema() is not null`.execute(this.#db)
    return [...rows]
  }

  async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string; view: boolean }>`
      select c.relname::text as name, c.relkind = 'v' as view
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v')`.execute(this.#db)
    return rows.map(({ name, view }) => ({ name, isView: view, columns: [] }))
  }

  async getMetadata(): Promise<DatabaseMetadata> {
    return { tables: await this.getTables() }
  }
}
