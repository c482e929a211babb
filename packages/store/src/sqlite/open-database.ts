import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { isBusy } from './database-error.js'

/** "Moor", in the file's header: tells a database of ours from one of another program. */
const APPLICATION_ID = 0x4d6f6f72

/** Makes the file and its directory where they are missing, both for their owner only. */
export function createFile(path: string): void {
  const directory = dirname(path)
  mkdirSync(dirname(directory), { recursive: true })
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** A connection that syncs each commit. @throws what is wrong with the file, or that it is busy. */
export function openDatabase(path: string): Database.Database {
  let raw: Database.Database | undefined
  try {
    raw = new Database(path, { timeout: 0 })
    const mode = raw.pragma('journal_mode = wal', { simple: true })
    if (mode !== 'wal') throw new Error(`its file system has no write-ahead log (journal mode ${mode})`)
    raw.pragma('synchronous = full')
    return raw
  } catch (error) {
    raw?.close()
    throw isBusy(error) ? error : new Error(`Cannot open ${path} as a database: ${reasonOf(error)}`, { cause: error })
  }
}

/** Marks an empty database as ours. To be called under the write lock. @throws when it is another program's. */
export function markAsOurs(raw: Database.Database, path: string): void {
  const mark = raw.pragma('application_id', { simple: true })
  if (mark === APPLICATION_ID) return
  const tables = raw.prepare('select count(*) from sqlite_schema').pluck().get()
  if (mark !== 0 || tables !== 0) {
    throw new Error(`Cannot open ${path}: it is the database of another program. Name a file that does not exist yet.`)
  }
  raw.pragma(`application_id = ${APPLICATION_ID}`)
}

function reasonOf(error: unknown): string {
  if (error instanceof Database.SqliteError && error.code === 'SQLITE_NOTADB') return 'the file is something else'
  return error instanceof Error ? error.message : String(error)
}
