import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../migrations/migrate.js'
import type { Schema } from '../schema.js'
import { createConnection } from '../sqlite/connection.js'
import { openDatabase } from '../sqlite/open-database.js'
import { sqliteDialect } from '../sqlite/sqlite-dialect.js'
import { temporaryFile } from '../sqlite/temporary-file.js'
import { removeTasks, type Write } from './remove-tasks.js'

/** Some more than meant: a group of tasks is weighed by what is quick to count. */
const MOST_ROWS = 600

/** A database with how many rows each transaction of a removal has changed. */
async function openCounted() {
  const { raw, db } = createConnection(openDatabase(temporaryFile()))
  await migrate(db, sqliteDialect)
  const sizes: number[] = []
  const changed = raw.prepare('select total_changes()').pluck()
  const write: Write = async (_, run) => {
    const before = changed.get() as number
    const value = await run(db, Date.now(), new Map())
    sizes.push((changed.get() as number) - before)
    return value
  }
  return { db, sizes, write }
}

async function endedTasks(db: Kysely<Schema>, count: number, rows: { readonly steps?: number; readonly parts?: number }): Promise<void> {
  const series = (size: number) => sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${size})`
  for (let task = 0; task < count; task++) {
    const id = `t${task}`
    await sql`insert into tasks (id, agent, tenant, context_id, state, status_at, created_at, seq, position, handled, message_count, artifact_count,
      turn, attempt) values (${id}, 'a', '', 'c', 'TASK_STATE_COMPLETED', 1, 1, 1, 1, 1, 1, 1, 1, 1)`.execute(db)
    const { steps = 0, parts = 0 } = rows
    if (steps > 0) await sql`${series(steps)} insert into steps select ${id}, 1, i, '1', 1 from n`.execute(db)
    if (parts > 0) await sql`${series(parts)} insert into artifact_parts select ${id}, 'x', i, '{}' from n`.execute(db)
  }
}

test.each([
  ['steps', { steps: 300 }],
  ['parts of artifacts, many of which came at once', { parts: 300 }],
  ['more steps than one transaction deletes', { steps: 1300 }],
])('deletes tasks with %s in transactions of about the same size', async (_, rows) => {
  const { db, sizes, write } = await openCounted()
  await endedTasks(db, 5, rows)
  expect(await removeTasks(write, 'a', 0)).toMatchObject({ removed: 5 })
  expect(sizes.filter((size) => size > MOST_ROWS)).toEqual([])
  const left = await sql<{ count: number }>`select (select count(*) from steps) + (select count(*) from artifact_parts) as count`.execute(
    db,
  )
  expect(left.rows).toEqual([{ count: 0 }])
})

test('ends a call after some transactions, however long a task is, and goes on with it in the next', async () => {
  const { db, sizes, write } = await openCounted()
  await endedTasks(db, 1, { steps: 15_000 })
  expect(await removeTasks(write, 'a', 0)).toEqual({ removed: 1, more: true })
  expect(await db.selectFrom('tasks').select('id').execute()).toEqual([])
  const first = sizes.length
  expect(await removeTasks(write, 'a', 0)).toEqual({ removed: 0, more: false })
  expect(sizes.length).toBeGreaterThan(first)
  for (const table of ['steps', 'removals'] as const) expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
})
