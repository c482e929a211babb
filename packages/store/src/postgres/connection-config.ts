import pg from 'pg'
import { COLUMN_TYPES } from './column-types.js'
import type { PostgresStoreSettings } from './settings.js'

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full']
/** So that a connection whose other end is gone is found out in the end, also where nobody waits for an answer. */
const KEEP_ALIVE_MS = 10_000

/** What `pg` connects with, and how to name the database in a sentence: without credentials. */
export interface ConnectionConfig {
  readonly client: pg.ClientConfig
  readonly place: string
}

/** @throws TypeError that names `url`, and never shows it: it has a password. */
export function connectionConfig({ url, acceptDeadlineMs }: PostgresStoreSettings): ConnectionConfig {
  const client: pg.ClientConfig = {
    connectionString: withLibpqModes(url),
    fallback_application_name: 'moorage',
    types: COLUMN_TYPES,
    connectionTimeoutMillis: acceptDeadlineMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: acceptDeadlineMs,
    lock_timeout: acceptDeadlineMs,
    idle_in_transaction_session_timeout: acceptDeadlineMs,
  }
  try {
    const { host, port, database } = new pg.Client(client)
    return { client, place: `${host}:${port}/${database}` }
  } catch (error) {
    throw new TypeError(`url cannot be used: ${(error as Error).message}`)
  }
}

/** The modes as libpq has them: `require` encrypts and verifies nobody unless there is an `sslrootcert`. */
function withLibpqModes(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    throw new TypeError('url must be of the form postgres://user:password@host:port/database')
  }
  const url = new URL(text)
  const mode = url.searchParams.get('sslmode')
  if (mode === null) return text
  if (!SSL_MODES.includes(mode)) throw new TypeError(`url has sslmode=${mode}, which must be one of ${SSL_MODES.join(', ')}`)
  url.searchParams.set('uselibpqcompat', 'true')
  return url.href
}
