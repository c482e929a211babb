import Database from 'better-sqlite3'
import { type AuditReader, NOT_OURS, readAudit } from '../audit/audit-reader.js'
import { isMigrated } from '../migrations/migrate.js'
import { createConnection } from './connection.js'
import { isBusy } from './database-error.js'
import { Reader } from './reader.js'
import { retryBusy } from './retry-busy.js'
import { sqliteDialect } from './sqlite-dialect.js'

const RETRY = { deadlineMs: 5000, random: Math.random }

/**
 * Opens the audit of a store in a file, to read it beside whoever writes.
 * @throws Error when there is no such file, or it is not a database of this version of Moorage; StoreUnavailableError when it stays busy.
 */
export async function openSqliteAudit({ path }: { readonly path: string }): Promise<AuditReader> {
  const connection = createConnection(await retryBusy(async () => open(path), RETRY))
  const reader = new Reader(connection, RETRY)
  const close = async () => {
    await reader.idle()
    connection.raw.close()
  }
  try {
    if (!(await reader.read((db) => isMigrated(db, sqliteDialect)))) throw new Error(`Cannot read ${path}: ${NOT_OURS}`)
  } catch (error) {
    await close()
    throw error
  }
  return { read: (taskId, after, limit) => reader.read((db) => readAudit(db, taskId, after, limit)), close }
}

function open(path: string): Database.Database {
  let raw: Database.Database | undefined
  try {
    // Opened to read only, it could not put away the files beside it that a log needs.
    raw = new Database(path, { fileMustExist: true, timeout: 0 })
    raw.pragma('query_only = on')
    // Reads the file's header: whether it is a database at all.
    raw.pragma('schema_version')
    return raw
  } catch (error) {
    raw?.close()
    if (isBusy(error)) throw error
    throw new Error(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
