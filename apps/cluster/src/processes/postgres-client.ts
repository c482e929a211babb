import pg from 'pg'

/** Connects; a connection that is lost later rejects the next query, and is no error of the process. */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** The same URL for another database. */
export function urlOfDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = encodeURIComponent(database)
  return other.href
}

export async function hasDatabase(client: pg.Client, database: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
  return rowCount === 1
}

/** Makes an empty database where there is none of that name; returns its URL. */
export async function ensureDatabase(url: string, database: string): Promise<string> {
  const client = await connectPostgres(url)
  try {
    if (!(await hasDatabase(client, database))) await client.query(`create database ${client.escapeIdentifier(database)}`)
  } finally {
    await client.end()
  }
  return urlOfDatabase(url, database)
}
