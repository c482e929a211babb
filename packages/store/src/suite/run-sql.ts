import pg from 'pg'

/** Runs statements in a session of their own; returns the rows of a single one. */
export async function runSql(statement: string, url: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
