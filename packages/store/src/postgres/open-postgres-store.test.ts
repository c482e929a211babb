import { createServer } from 'node:net'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { StoreUnavailableError } from '../store-error.js'
import { AGENT, accept, createTask, PATIENCE } from '../suite/fixtures.js'
import { runSql } from '../suite/run-sql.js'
import { openSilentProxy } from '../suite/silent-proxy.js'
import { createTestSchema } from '../suite/test-schema.js'
import type { TaskStore } from '../task-store.js'
import { openPostgresStore } from './open-postgres-store.js'
import type { PostgresStoreOptions } from './settings.js'

vi.setConfig({ testTimeout: PATIENCE.timeout })

async function open(options: PostgresStoreOptions): Promise<TaskStore> {
  const store = await openPostgresStore(options)
  onTestFinished(() => store.close())
  return store
}

it('keeps its id, its key and its tasks when it is opened again', async () => {
  const url = await createTestSchema()
  const first = await open({ url })
  await createTask(first, 't1')
  await first.close()
  const second = await open({ url })
  expect(first.id).toMatch(/^[a-z0-9]{12}$/)
  expect(first.tokenKey).toHaveLength(32)
  expect([second.id, second.tokenKey]).toEqual([first.id, first.tokenKey])
  expect(await second.record('t1')).toMatchObject({ seq: 1 })
})

it('is one store, however many open it at once, and another one in each schema', async () => {
  const [url, other] = [await createTestSchema(), await createTestSchema()]
  const stores = await Promise.all(Array.from({ length: 5 }, () => open({ url })))
  expect(new Set(stores.map((store) => store.id)).size).toBe(1)
  await Promise.all(stores.map((store, index) => createTask(store, `t${index}`)))
  expect(await stores[0]?.record('t4')).toMatchObject({ id: 't4' })
  const elsewhere = await open({ url: other })
  expect(elsewhere.id).not.toBe(stores[0]?.id)
  expect(await elsewhere.record('t4')).toBeUndefined()
})

it('takes its time from the database, unless there is a clock', async () => {
  const url = await createTestSchema()
  const store = await open({ url })
  const [row] = await runSql('select extract(epoch from clock_timestamp()) * 1000 as now', url)
  const now = await store.transact([], async (tx) => tx.now)
  expect(Number.isInteger(now)).toBe(true)
  expect(now).toBeGreaterThanOrEqual(Math.floor(Number(row?.['now'])))
  const clocked = await open({ url, now: () => 7 })
  expect(await clocked.transact([], async (tx) => tx.now)).toBe(7)
})

it('goes on when a newer version adds a column meanwhile', async () => {
  const url = await createTestSchema()
  const store = await open({ url, poolSize: 2 })
  await createTask(store, 't1')
  for (let round = 0; round < 10; round++) await Promise.all([store.get('t1'), accept(store, 't1', `m${round}`)])
  await runSql('alter table tasks add column later text', url)
  await Promise.all([store.get('t1'), accept(store, 't1', 'last')])
  expect(await store.record('t1')).toMatchObject({ position: 12 })
})

it('goes on claiming a task that was claimed a thousand times', async () => {
  const url = await createTestSchema()
  const store = await open({ url, wakeAfterMs: 0 })
  await createTask(store, 't1')
  await runSql('update wakes set tries = 1024', url)
  for (let round = 0; round < 2; round++) expect(await store.claimDue([AGENT], 1)).toHaveLength(1)
})

it('refuses a database that a newer version has changed', async () => {
  const url = await createTestSchema()
  await (await open({ url })).close()
  await runSql(`insert into schema_migrations values ('0999-later', '2030-01-01T00:00:00.000Z')`, url)
  await expect(openPostgresStore({ url })).rejects.toThrow(/newer version of Moorage \(it has the migration '0999-later'/)
})

it.each(['create table tasks (title text)', 'create table schema_migrations (version text)', 'create view wakes as select 1'])(
  'refuses the schema of another program, and leaves it as it was (%s)',
  async (statement) => {
    const url = await createTestSchema()
    await runSql(statement, url)
    await expect(openPostgresStore({ url })).rejects.toThrow(/^Cannot open the database .* of the url: it has tables of another program/)
    expect(await runSql('select 1 from pg_class where relnamespace = current_schema()::regnamespace', url)).toHaveLength(1)
  },
)

it('refuses a user without the right to make tables, and says so', async () => {
  const url = new URL(await createTestSchema())
  const role = `role_${crypto.randomUUID().replaceAll('-', '')}`
  const { href } = url
  await runSql(`create role ${role} login password 'secret'; grant usage on schema ${schemaOf(url)} to ${role}`, href)
  onTestFinished(async () => void (await runSql(`drop owned by ${role}; drop role ${role}`, href)))
  url.username = role
  url.password = 'secret'
  await expect(openPostgresStore({ url: url.href })).rejects.toThrow(/its user lacks a right \(permission denied for schema/)
})

it('refuses a schema that does not exist', async () => {
  const url = new URL(inject('databaseUrl'))
  url.searchParams.set('options', '-c search_path=nowhere')
  await expect(openPostgresStore({ url: url.href })).rejects.toThrow(/the search_path names none that exists/)
})

it.each(['LATIN1', 'SQL_ASCII'])('refuses a database that keeps texts in %s', async (encoding) => {
  const url = new URL(inject('databaseUrl'))
  const { href } = url
  const name = `test_${encoding.toLowerCase()}_${Date.now()}`
  await runSql(`create database ${name} template template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`, href)
  onTestFinished(async () => void (await runSql(`drop database ${name} with (force)`, href)))
  url.pathname = name
  await expect(openPostgresStore({ url: url.href })).rejects.toThrow(`its encoding is ${encoding}, which does not keep every text`)
})

it('refuses a database that does not let us in at once, and never shows the password', async () => {
  const wrong = new URL(inject('databaseUrl'))
  wrong.password = 'my-secret'
  const missing = new URL(inject('databaseUrl'))
  missing.pathname = '/nowhere'
  const place = `${wrong.host}${wrong.pathname}`
  for (const [url, reason] of [
    [wrong, `Cannot open the database ${place} of the url: password authentication failed`],
    [missing, 'database "nowhere" does not exist'],
  ] as const) {
    const error = await openPostgresStore({ url: url.href }).catch((fault: unknown) => fault)
    expect(String(error)).toContain(reason)
    expect(error).not.toBeInstanceOf(StoreUnavailableError)
    expect(`${error}${JSON.stringify(error)}`).not.toContain('my-secret')
  }
})

it('refuses options that it cannot use, by name', async () => {
  const url = inject('databaseUrl')
  for (const [name, value] of [
    ['url', 'mysql://u:my-secret@h/d'],
    ['poolSize', 0],
    ['acceptDeadlineMs', 0],
    ['acceptDeadlineMs', 1.5],
    ['acceptDeadlineMs', 2 ** 31],
    ['wakeAfterMs', Number.NaN],
    ['wakeAfterMs', 0.5],
    ['wakeAfterMs', 2 ** 31],
  ] as const) {
    const error = await openPostgresStore({ url, [name]: value }).catch((fault: unknown) => fault)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toMatch(new RegExp(`^TypeError: ${name} must be`))
    expect(String(error)).not.toContain('my-secret')
  }
})

it('gives up at the deadline where nobody answers, and where nobody is', async () => {
  const proxy = await openSilentProxy(inject('databaseUrl'))
  proxy.silent = true
  await expect(openPostgresStore({ url: proxy.url, acceptDeadlineMs: 100 })).rejects.toBeInstanceOf(StoreUnavailableError)
  const nobody = new URL(inject('databaseUrl'))
  nobody.port = String(await unusedPort())
  await expect(openPostgresStore({ url: nobody.href, acceptDeadlineMs: 100 })).rejects.toBeInstanceOf(StoreUnavailableError)
})

function schemaOf(url: URL): string {
  return url.searchParams.get('options')?.split('=')[1] ?? ''
}

async function unusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
