import pg from 'pg'

/** Takes locks in a session of its own. Returns how to let go of them. */
export async function holdLock(url: string, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return () => client.end()
}
