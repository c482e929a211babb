import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type AuditReader, StoreUnavailableError } from '@moorage/store'
import { describeRefusal, describeSilence } from './database-fault.js'
import type { StoreConfig } from './shared-config.js'
import { StartError } from './start-error.js'

/**
 * Opens the audit of the configured database, and makes nothing where there is none.
 * @throws ConfigError or StartError that says what to do, without credentials
 */
export async function openAudit(store: StoreConfig): Promise<AuditReader> {
  return store.kind === 'sqlite' ? openSqlite(store.path) : openPostgres(store)
}

async function openSqlite(path: string): Promise<AuditReader> {
  const where = `${dirname(path)} (MOORAGE_DATA_DIR)`
  const fault = await access(path).catch((error: NodeJS.ErrnoException) => error)
  if (fault instanceof Error) {
    const what = fault.code === 'ENOENT' ? 'There is no database' : `The database cannot be read (${fault.code})`
    throw new StartError(`${what} in ${where}: name the data folder of the agent, or set DATABASE_URL.`)
  }
  const { openSqliteAudit } = await import('@moorage/store/sqlite')
  try {
    return await openSqliteAudit({ path })
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}. Name the data folder of the agent (MOORAGE_DATA_DIR).`)
  }
}

async function openPostgres({ url, where }: StoreConfig & { readonly kind: 'postgres' }): Promise<AuditReader> {
  const { openPostgresAudit } = await import('@moorage/store/postgres')
  const begun = performance.now()
  try {
    return await openPostgresAudit({ url: url.reveal() })
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw describeRefusal(error, where, url.reveal())
    const reason = describeSilence(error, url.reveal(), performance.now() - begun)
    throw new StartError(`Postgres at ${where} (DATABASE_URL) does not answer: ${reason}. Start it, or correct DATABASE_URL.`)
  }
}
