import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { openSqliteStore } from '../sqlite.js'
import { describeCommands } from '../suite/command-suite.js'
import type { OpenTestStore } from '../suite/open-test-store.js'
import { describeRetries } from '../suite/retry-suite.js'
import { describeTurns } from '../suite/turn-suite.js'

// Each test opens a database file of its own, which a busy machine makes slow.
vi.setConfig({ testTimeout: 60_000 })

const openTestStore: OpenTestStore = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-store-'))
  const store = await openSqliteStore({ path: join(folder, 'test.db'), wakeAfterMs: 0 })
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  return store
}

describeTurns(openTestStore)
describeRetries(openTestStore)
describeCommands(openTestStore)
