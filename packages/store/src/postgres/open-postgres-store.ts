import pg from 'pg'
import { readIdentity } from '../identity.js'
import { StoreUnavailableError } from '../store-error.js'
import type { TaskStore } from '../task-store.js'
import { type ConnectionConfig, connectionConfig } from './connection-config.js'
import { Connections } from './connections.js'
import { faultOf, reasonOf } from './database-error.js'
import { PostgresStore } from './postgres-store.js'
import { prepareSchema } from './prepare-schema.js'
import { type PostgresStoreOptions, resolveSettings } from './settings.js'
import { Transactor } from './transactor.js'

/** Codes of a table that is there already, or is there without the column that ours has. */
const FOREIGN_TABLES = ['42P07', '42P01', '42703', '42P16', '42710']

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

/** What the URL, or the database's owner, has to change is told as an error that no repetition cures. */
function toOpenError(error: unknown, { place }: ConnectionConfig): unknown {
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
