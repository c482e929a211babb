import { readIdentity } from '../identity.js'
import type { TaskStore } from '../task-store.js'
import { connectionConfig } from './connection-config.js'
import { Connections } from './connections.js'
import { toOpenError } from './open-error.js'
import { PostgresStore } from './postgres-store.js'
import { prepareSchema } from './prepare-schema.js'
import { type PostgresStoreOptions, resolveSettings } from './settings.js'
import { Transactor } from './transactor.js'

/**
 * Opens the store in a Postgres database, and brings its schema up to date, which may take longer than a call: a minute. Any number of processes may
 * have the same database open.
 * @throws TypeError for an option that cannot be used; Error when the database is not one of this version of Moorage or an older one, or does not
 * let us in; StoreUnavailableError when it does not answer in time.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<TaskStore> {
  const settings = resolveSettings(options)
  const config = connectionConfig(settings)
  const connections = new Connections(config.client, settings.poolSize)
  try {
    const transactor = new Transactor(connections, settings)
    await prepareSchema(transactor)
    const identity = await transactor.readOne(readIdentity)
    return new PostgresStore(transactor, connections, identity, settings, config.client)
  } catch (error) {
    await connections.close()
    throw toOpenError(error, config)
  }
}
