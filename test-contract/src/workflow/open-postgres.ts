import { createDatabase } from '@moorage/dev-postgres'
import { openPostgresStore } from '@moorage/store/postgres'
import { inject } from 'vitest'
import { PATIENCE_MS } from '../patience.js'
import type { StoreOpener } from './stage.js'

const databases = new Map<string, Promise<string>>()

/** Gives each stage a database of its own in the Postgres of the run. */
export const openPostgres: StoreOpener = async (dir, options) => {
  const database = databases.get(dir) ?? createDatabase(inject('postgres'))
  databases.set(dir, database)
  return openPostgresStore({ url: await database, acceptDeadlineMs: PATIENCE_MS, ...options })
}
