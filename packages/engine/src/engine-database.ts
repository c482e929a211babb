import { access, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from './engine-error.js'
import { compareVersions } from './server-version.js'

/** What is remembered of a database while no engine runs, in `temporal.db.json` beside it. */
export interface DatabaseRecord {
  /** Version of the server that used it last. */
  readonly server: string
  /** Port it was served at last, taken again where it is free, so that workers find it again. */
  readonly port: number
  /** Retention of the namespace, in hours. */
  readonly retentionHours: number
}

/** The place of the server's database in a data folder. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'temporal.db')
}

/**
 * Looks whether a server of that version may open the folder's database, and returns what is remembered of it. A database that no start has ever
 * completed is set aside as `temporal.db.unfinished`: the server writes its schema statement by statement, and takes any file that exists for whole.
 * @throws EngineError `database-newer`
 */
export async function checkDatabase(
  dataDir: string,
  server: string,
  onProgress: (line: string) => void,
): Promise<DatabaseRecord | undefined> {
  const file = databaseFile(dataDir)
  const record = (await exists(file)) ? await readRecord(file) : undefined
  if (record === undefined) {
    // From here until the start is complete, nothing may vouch for the file.
    await rm(`${file}.json`, { force: true })
    if (await exists(file)) onProgress(`${file} was never completed; it is set aside as ${file}.unfinished`)
    for (const part of ['-wal', '-shm', '']) {
      if (await exists(`${file}${part}`)) await rename(`${file}${part}`, `${file}.unfinished${part}`)
    }
    return undefined
  }
  if (compareVersions(record.server, server) > 0) {
    throw new EngineError(
      'database-newer',
      `${file} was last used by Temporal server ${record.server}, and this CLI has ${server}, which may not be able to read it. ` +
        `Set TEMPORAL_CLI to a CLI with server ${record.server} or newer, or move the file and its -wal away: open tasks are then started again from the store.`,
    )
  }
  return record
}

/** Remembers that a server has completed a start on the folder's database. */
export async function rememberDatabase(dataDir: string, record: DatabaseRecord): Promise<void> {
  const file = `${databaseFile(dataDir)}.json`
  await writeFile(`${file}.tmp`, `${JSON.stringify(record, null, 2)}\n`, { flush: true })
  await rename(`${file}.tmp`, file)
}

async function readRecord(file: string): Promise<DatabaseRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(`${file}.json`, 'utf8'))
    return typeof value === 'object' && value !== null && 'server' in value && typeof value.server === 'string'
      ? (value as DatabaseRecord)
      : undefined
  } catch {
    return undefined
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
