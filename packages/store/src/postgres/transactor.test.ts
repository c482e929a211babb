import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { StoreUnavailableError } from '../store-error.js'
import { PATIENCE } from '../suite/fixtures.js'
import { createTestSchema } from '../suite/test-schema.js'
import { connectionConfig } from './connection-config.js'
import { Connections } from './connections.js'
import { resolveSettings } from './settings.js'
import { Transactor } from './transactor.js'

vi.setConfig({ testTimeout: PATIENCE.timeout })

async function createTransactor(acceptDeadlineMs: number): Promise<Transactor> {
  const settings = resolveSettings({ url: await createTestSchema(), acceptDeadlineMs })
  const connections = new Connections(connectionConfig(settings).client, 2)
  onTestFinished(() => connections.close())
  return new Transactor(connections, settings)
}

it('reads again where the answer to the commit was lost', async () => {
  const transactor = await createTransactor(30_000)
  let runs = 0
  const reading = transactor.read(async (db) => {
    runs++
    if (runs === 1) {
      // The commit is sent behind it, before the server ends the connection.
      sql`select pg_terminate_backend(pg_backend_pid()) from pg_sleep(0.1)`.execute(db).catch(() => {})
      await setImmediate()
    }
    return 'read'
  })
  await expect(reading).resolves.toBe('read')
  expect(runs).toBe(2)
})

it('tells why the last try failed when the deadline ends a pause', async () => {
  const transactor = await createTransactor(3000)
  const writing = transactor.write([], 'accept', async (db) => {
    await sql`set transaction read only`.execute(db)
    await sql`create table never (id int)`.execute(db)
  })
  await expect(writing).rejects.toThrow('The database is not available (25006: cannot execute CREATE TABLE in a read-only transaction)')
  await expect(writing).rejects.toMatchObject({ name: 'StoreUnavailableError', cause: { code: '25006' } })
})

it('writes in one transaction what waits for the same task, and takes back only what failed', async () => {
  const transactor = await createTransactor(30_000)
  await transactor.write([], 'accept', (db) => sql`create table tasks (id text)`.execute(db))
  const write = (taskId: string, failure?: Error) =>
    transactor.write([taskId], 'accept', async (db) => {
      const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db)
      if (failure) throw failure
      return rows[0]?.id
    })
  const [first, second, other] = await Promise.all([write('a'), write('a'), write('b')])
  expect(second.value).toBe(first.value)
  expect(other.value).not.toBe(first.value)
  // Also what calls itself unavailable tells nothing of the others.
  for (const failure of [new Error('refused'), new StoreUnavailableError('being removed')]) {
    const outcomes = await Promise.allSettled([write('a'), write('a', failure), write('a')])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: failure })
  }
})

it('runs again where a key was taken meanwhile, however often the database was away before', async () => {
  const transactor = await createTransactor(30_000)
  let runs = 0
  const writing = transactor.write([], 'accept', async (db) => {
    runs++
    if (runs <= 6) await sql`do $$ begin raise sqlstate '57P03'; end $$`.execute(db)
    if (runs === 7) await sql`do $$ begin raise unique_violation; end $$`.execute(db)
    return 'written'
  })
  await expect(writing).resolves.toMatchObject({ value: 'written' })
  expect(runs).toBe(8)
})
