import { onTestFinished } from 'vitest'
import { describeStore } from '../suite/describe-store.js'
import { openSqliteStore } from './open-sqlite-store.js'
import { temporaryFile } from './temporary-file.js'

describeStore(async (options) => {
  const store = await openSqliteStore({ path: temporaryFile(), acceptDeadlineMs: 60_000, ...options })
  onTestFinished(() => store.close())
  return store
})
