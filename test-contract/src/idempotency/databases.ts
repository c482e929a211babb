import { join } from 'node:path'
import { openSqliteStore } from '@moorage/store/sqlite'
import { PATIENCE_MS } from '../patience.js'
import { openPostgres } from '../workflow/open-postgres.js'
import type { StoreOpener } from '../workflow/stage.js'

/** Both databases, for `describe.each`; who opens one for the same folder again gets the same data. */
export const DATABASES: readonly (readonly [string, StoreOpener])[] = [
  ['SQLite', (dir) => openSqliteStore({ path: join(dir, 'store.db'), acceptDeadlineMs: PATIENCE_MS })],
  ['Postgres', openPostgres],
]
