import pg from 'pg'
import type { Query } from './stored-task.js'

/** Asks over connections of its own, made anew after each outage. */
export function openPostgresQuery(connectionString: string): { readonly ask: Query; close(): Promise<void> } {
  const pool = new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 10_000 })
  // An idle connection that breaks is replaced.
  pool.on('error', () => undefined)
  return {
    ask: async (sql, parameters) => {
      let number = 0
      const { rows } = await pool.query<Readonly<Record<string, unknown>>>(
        sql.replaceAll('?', () => `$${++number}`),
        [...parameters],
      )
      return rows
    },
    close: () => pool.end(),
  }
}
