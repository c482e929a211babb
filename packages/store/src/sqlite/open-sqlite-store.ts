import { readIdentity } from '../identity.js'
import { isMigrated, migrate } from '../migrations/migrate.js'
import type { TaskStore } from '../task-store.js'
import { type Connection, createConnection, rollback } from './connection.js'
import { createFile, markAsOurs, openDatabase } from './open-database.js'
import { type BusyRetry, retryBusy } from './retry-busy.js'
import { resolveSettings, type SqliteStoreOptions } from './settings.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { SqliteStore } from './sqlite-store.js'

/**
 * Opens the store in a file of this machine, and brings its schema up to date. Several processes may have the same file open.
 * @throws Error when the file is not a database of this version of Moorage or an older one; StoreUnavailableError when it stays busy.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<TaskStore> {
  const settings = resolveSettings(options)
  const retry = { deadlineMs: settings.acceptDeadlineMs, random: settings.random }
  createFile(settings.path)
  const writing = await connect(settings.path, retry)
  let reading: Connection | undefined
  try {
    await retryBusy(() => prepareSchema(writing, settings.path), retry)
    reading = await connect(settings.path, retry)
    return new SqliteStore(writing, reading, await readIdentity(reading.db), settings)
  } catch (error) {
    reading?.raw.close()
    writing.raw.close()
    throw error
  }
}

async function connect(path: string, retry: BusyRetry): Promise<Connection> {
  return createConnection(await retryBusy(async () => openDatabase(path), retry))
}

/** The whole migration is one transaction, so that a process that dies, or another one that starts, finds all of it or nothing. */
async function prepareSchema({ raw, db }: Connection, path: string): Promise<void> {
  if (await isMigrated(db, sqliteDialect)) return
  raw.exec('begin immediate')
  try {
    markAsOurs(raw, path)
    await migrate(db, sqliteDialect)
    raw.exec('commit')
  } finally {
    rollback(raw)
  }
}
