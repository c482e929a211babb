import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openOnPostgres, openOnSqlite } from './databases.js'
import { runSchedule } from './run-schedule.js'
import { schedules } from './schedule.js'

/** Enough to find each mistake that was tried here in nearly every run; more for a search that may take its time. */
const RUNS = 100
/** On a machine that is busy, fewer schedules are run. */
const LONGEST_MS = 60_000

test.each([
  ['SQLite', openOnSqlite],
  ['Postgres', openOnPostgres],
])('whatever meets on a task on %s, the outcome is that of some order, and nothing is lost', async (_, open) => {
  const db = await open()
  let races = 0
  const property = fc.asyncProperty(schedules, async (schedule) => {
    races += 1
    await runSchedule(db, `race${races}`, schedule)
  })
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: LONGEST_MS })
  expect(races).toBeGreaterThan(0)
})
