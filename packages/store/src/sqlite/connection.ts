import type Database from 'better-sqlite3'
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely'
import type { Schema } from '../schema.js'

const KEPT_STATEMENTS = 256

/** One connection, both as it is, for what begins and ends transactions, and behind the query builder. */
export interface Connection {
  readonly raw: Database.Database
  readonly db: Kysely<Schema>
}

export function createConnection(raw: Database.Database): Connection {
  const dialect = new SqliteDialect({ database: { prepare: keepStatements(raw), close: () => raw.close() } })
  return { raw, db: new Kysely<Schema>({ dialect }) }
}

export function rollback(raw: Database.Database): void {
  // Some errors, as a full disk, have ended the transaction already.
  if (raw.inTransaction) raw.exec('rollback')
}

/** Preparing a statement costs more than most of them take to run. The one that was not used for the longest time makes room. */
function keepStatements(raw: Database.Database): (sql: string) => SqliteStatement {
  const kept = new Map<string, SqliteStatement>()
  return (sql) => {
    const statement = kept.get(sql) ?? (raw.prepare(sql) as SqliteStatement)
    kept.delete(sql)
    kept.set(sql, statement)
    const [oldest] = kept.keys()
    if (kept.size > KEPT_STATEMENTS && oldest !== undefined) kept.delete(oldest)
    return statement
  }
}
