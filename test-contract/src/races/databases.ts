import { join } from 'node:path'
import { createDatabase } from '@moorage/dev-postgres'
import type { TaskStore } from '@moorage/store'
import { openPostgresStore } from '@moorage/store/postgres'
import { openSqliteStore } from '@moorage/store/sqlite'
import openFile from 'better-sqlite3'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'

/** One row of an answer: its columns in order. */
export type Row = readonly unknown[]

/** Two replicas of a process on one database, and a look into its tables past both. */
export interface TwoReplicas {
  readonly stores: readonly [TaskStore, TaskStore]
  select(statement: string): Promise<readonly Row[]>
}

/** Every wake is due at once, so that a sweep always finds what is marked. Nothing here is about time. */
const OPTIONS = { wakeAfterMs: 0, acceptDeadlineMs: 60_000 }

export async function openOnSqlite(): Promise<TwoReplicas> {
  const path = join(await temporaryFolder(), 'store.db')
  const stores = await openTwo(() => openSqliteStore({ path, ...OPTIONS }))
  const file = openFile(path, { readonly: true })
  onTestFinished(() => void file.close())
  return { stores, select: async (statement) => file.prepare(statement).raw().all() as Row[] }
}

export async function openOnPostgres(): Promise<TwoReplicas> {
  const url = withoutSync(await createDatabase(inject('postgres')))
  const stores = await openTwo(() => openPostgresStore({ url, ...OPTIONS }))
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  onTestFinished(() => pool.end())
  return { stores, select: async (text) => (await pool.query<unknown[]>({ text, rowMode: 'array' })).rows }
}

async function openTwo(open: () => Promise<TaskStore>): Promise<readonly [TaskStore, TaskStore]> {
  const stores = [await open(), await open()] as const
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))))
  return stores
}

/** No machine fails here, so that nobody need wait for its disk. */
function withoutSync(database: string): string {
  const url = new URL(database)
  url.searchParams.set('options', '-c synchronous_commit=off')
  return url.href
}
