import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Query } from './stored-task.js'

const PATIENCE_MS = 60_000
const AGAIN_MS = 250

/** Asks over connections of its own, and again where an outage is in the way. */
export function openPostgresQuery(connectionString: string): { readonly ask: Query; close(): Promise<void> } {
  const pool = new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 10_000 })
  // An idle connection that breaks is replaced.
  pool.on('error', () => undefined)
  return {
    ask: async (sql, parameters) => {
      const deadline = performance.now() + PATIENCE_MS
      for (;;) {
        try {
          return await askOnce(pool, sql, parameters)
        } catch (error) {
          if (performance.now() > deadline) throw error
          await pause(AGAIN_MS)
        }
      }
    },
    close: () => pool.end(),
  }
}

async function askOnce(pool: pg.Pool, sql: string, parameters: readonly unknown[]): Promise<Awaited<ReturnType<Query>>> {
  let number = 0
  const numbered = sql.replaceAll('?', () => `$${++number}`)
  return (await pool.query<Readonly<Record<string, unknown>>>(numbered, [...parameters])).rows
}
