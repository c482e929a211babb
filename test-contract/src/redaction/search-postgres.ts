import pg from 'pg'
import { CORPUS_PATTERN } from './find-corpus.js'

interface Row {
  readonly name: string
}

const DATABASES = 'select datname as name from pg_database where datallowconn and not datistemplate'
const TABLES = `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`

/** Searches every row of every database of the server: in its files long values are compressed. */
export async function searchServer(url: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const database of await connected(url, (client) => names(client, DATABASES))) {
    const one = new URL(url)
    one.pathname = encodeURIComponent(database)
    found.push(...(await searchDatabase(one.href)))
  }
  return found
}

/** The tables that have a secret of the corpus, named with their database. */
export function searchDatabase(url: string): Promise<readonly string[]> {
  return connected(url, async (client) => {
    const found: string[] = []
    for (const table of await names(client, TABLES)) {
      const { rows } = await client.query(`select from ${table} as row where row::text ~ $1 limit 1`, [CORPUS_PATTERN])
      if (rows.length > 0) found.push(`table ${table} of database ${decodeURIComponent(new URL(url).pathname.slice(1))}`)
    }
    return found
  })
}

async function names(client: pg.Client, query: string): Promise<readonly string[]> {
  return (await client.query<Row>(query)).rows.map(({ name }) => name)
}

async function connected<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
