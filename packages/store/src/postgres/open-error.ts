import pg from 'pg'
import { StoreUnavailableError } from '../store-error.js'
import type { ConnectionConfig } from './connection-config.js'
import { faultOf, reasonOf } from './database-error.js'

/** Codes of a table that is there already, or is there without the column that ours has. */
const FOREIGN_TABLES = ['42P07', '42P01', '42703', '42P16', '42710']

/** What the URL, or the database's owner, has to change is told as an error that no repetition cures. */
export function toOpenError(error: unknown, { place }: ConnectionConfig): unknown {
  const unavailable = error instanceof StoreUnavailableError
  const cause = unavailable ? error.cause : error
  if (unavailable && faultOf(cause) !== 'refused') return error
  return new Error(`Cannot open the database ${place} of the url: ${explain(cause)}`, { cause })
}

function explain(cause: unknown): string {
  if (!(cause instanceof pg.DatabaseError)) return reasonOf(cause)
  if (cause.code === '42501') return `its user lacks a right (${cause.message}); it must be able to create tables in the schema`
  if (FOREIGN_TABLES.includes(cause.code ?? '')) {
    return `it has tables of another program (${cause.message}). Name another database, or another schema by the search_path.`
  }
  return cause.message
}
