import { type AuditReader, NOT_OURS, readAudit } from '../audit/audit-reader.js'
import { isMigrated } from '../migrations/migrate.js'
import { connectionConfig } from './connection-config.js'
import { Connections } from './connections.js'
import { toOpenError } from './open-error.js'
import { postgresDialect } from './postgres-dialect.js'
import { resolveSettings } from './settings.js'
import { Transactor } from './transactor.js'

/**
 * Opens the audit of a store in a Postgres database, to read it with one connection beside whoever writes.
 * @throws TypeError for a URL that cannot be used; Error when the database is not one of this version of Moorage, or does not let us in;
 * StoreUnavailableError when it does not answer in time.
 */
export async function openPostgresAudit({ url }: { readonly url: string }): Promise<AuditReader> {
  const settings = resolveSettings({ url, poolSize: 1 })
  const config = connectionConfig(settings)
  const connections = new Connections(config.client, settings.poolSize)
  const transactor = new Transactor(connections, settings)
  const close = async () => {
    await transactor.idle()
    await connections.close()
  }
  try {
    if (!(await transactor.ask(({ db }) => isMigrated(db, postgresDialect)))) throw new Error(NOT_OURS)
  } catch (error) {
    await close()
    throw toOpenError(error, config)
  }
  return { read: (taskId, after, limit) => transactor.readOne((db) => readAudit(db, taskId, after, limit)), close }
}
