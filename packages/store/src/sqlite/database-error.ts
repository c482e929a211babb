import Database from 'better-sqlite3'
import { StoreUnavailableError } from '../store-error.js'

const BUSY = ['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL']
const UNAVAILABLE = [
  ...BUSY,
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_NOMEM',
]

/** Whether another connection holds the lock: worth another try. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, BUSY)
}

/** Whether the database, not the statement, is to blame. */
export function isUnavailable(error: unknown): boolean {
  return hasCode(error, UNAVAILABLE)
}

/** Errors of the database itself become `StoreUnavailableError`; others stay what they are. */
export function toStoreError(error: unknown): unknown {
  return isUnavailable(error) ? unavailable(error) : error
}

export function unavailable(cause: unknown): StoreUnavailableError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof Database.SqliteError ? `${cause.code}: ` : ''
  return new StoreUnavailableError(`The database is not available (${code}${reason})`, { cause })
}

// Extended codes begin with the primary one: SQLITE_IOERR_FSYNC.
function hasCode(error: unknown, codes: readonly string[]): boolean {
  if (!(error instanceof Database.SqliteError)) return false
  return codes.some((code) => error.code === code || error.code.startsWith(`${code}_`))
}
