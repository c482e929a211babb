import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { StoreUnavailableError } from '../store-error.js'
import { AGENT, append, createTask, manualClock, openTurn } from '../suite/fixtures.js'
import type { TaskStore } from '../task-store.js'
import { openSqliteStore } from './open-sqlite-store.js'
import type { SqliteStoreOptions } from './settings.js'
import { temporaryFile } from './temporary-file.js'

async function open(options: SqliteStoreOptions): Promise<TaskStore> {
  const store = await openSqliteStore(options)
  onTestFinished(() => store.close())
  return store
}

it('makes the directory, and a file, that only their owner can read', async () => {
  const path = join(dirname(temporaryFile()), 'a', 'b', 'store.db')
  const store = await open({ path })
  await createTask(store, 't1')
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(path + suffix).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
})

it('keeps its id, its key and its tasks when it is opened again', async () => {
  const path = temporaryFile()
  const first = await open({ path })
  await createTask(first, 't1')
  await first.close()
  const second = await open({ path })
  expect(first.id).toMatch(/^[a-z0-9]{12}$/)
  expect(first.tokenKey).toHaveLength(32)
  expect([second.id, second.tokenKey]).toEqual([first.id, first.tokenKey])
  expect(await second.record('t1')).toMatchObject({ seq: 1 })
  expect((await open({ path: temporaryFile() })).id).not.toBe(first.id)
})

it('is one store, however many open it at once', async () => {
  const path = temporaryFile()
  const stores = await Promise.all(Array.from({ length: 4 }, () => open({ path })))
  expect(new Set(stores.map((store) => store.id)).size).toBe(1)
  await Promise.all(stores.map((store, index) => createTask(store, `t${index}`)))
  expect(await stores[0]?.record('t3')).toMatchObject({ id: 't3' })
})

it('refuses a database that a newer version has changed', async () => {
  const path = temporaryFile()
  await (await open({ path })).close()
  const raw = new Database(path)
  raw.exec(`insert into schema_migrations values ('0999-later', '2030-01-01T00:00:00.000Z')`)
  raw.close()
  await expect(openSqliteStore({ path })).rejects.toThrow(/newer version of Moorage \(it has the migration '0999-later'/)
})

it('refuses what is not a database, and leaves it as it was', async () => {
  const path = temporaryFile()
  writeFileSync(path, 'a letter to a friend, and quite a long one, as letters go\n'.repeat(20))
  const size = statSync(path).size
  await expect(openSqliteStore({ path })).rejects.toThrow(`Cannot open ${path} as a database: the file is something else`)
  expect(statSync(path).size).toBe(size)
})

it('refuses a directory', async () => {
  const path = temporaryFile()
  mkdirSync(path)
  await expect(openSqliteStore({ path })).rejects.toThrow(`Cannot open ${path}`)
})

it('refuses the database of another program', async () => {
  const path = temporaryFile()
  const raw = new Database(path)
  raw.exec('create table tasks (title text)')
  raw.close()
  await expect(openSqliteStore({ path })).rejects.toThrow(/it is the database of another program/)
})

it('refuses options that it cannot use, by name', async () => {
  await expect(openSqliteStore({ path: ':memory:' })).rejects.toThrow(/^path must name a file/)
  for (const value of [-1, 0.5, 2 ** 31, Number.NaN]) {
    await expect(openSqliteStore({ path: temporaryFile(), acceptDeadlineMs: value })).rejects.toThrow(/^acceptDeadlineMs must be/)
    await expect(openSqliteStore({ path: temporaryFile(), wakeAfterMs: value })).rejects.toThrow(/^wakeAfterMs must be/)
  }
})

it('gives up at the deadline while another process holds the lock, reads all the same, and writes again later', async () => {
  const path = temporaryFile()
  const store = await open({ path, acceptDeadlineMs: 60 })
  await createTask(store, 't1')
  const release = await lockInAnotherProcess(path)
  await expect(createTask(store, 't2')).rejects.toBeInstanceOf(StoreUnavailableError)
  expect(await store.record('t1')).toMatchObject({ id: 't1' })
  await release()
  expect(await store.record('t2')).toBeUndefined()
  await createTask(store, 't2')
})

it('waits for a first opening by another process, and gives up at the deadline', async () => {
  const path = temporaryFile()
  const release = await lockInAnotherProcess(path)
  await expect(openSqliteStore({ path, acceptDeadlineMs: 60 })).rejects.toBeInstanceOf(StoreUnavailableError)
  const opening = open({ path, acceptDeadlineMs: 60_000 })
  await release()
  await expect(opening).resolves.toBeDefined()
})

it('tells followers of what another process writes', async () => {
  const path = temporaryFile()
  const [reading, writing] = [await open({ path }), await open({ path })]
  await createTask(writing, 't1')
  const fence = await openTurn(writing, 't1')
  const following = (async () => {
    const seen: number[] = []
    for await (const entry of reading.follow('t1', 0, AbortSignal.timeout(60_000))) {
      seen.push(entry.seq)
      if (entry.seq === 52) break
    }
    return seen
  })()
  for (let batch = 1; batch <= 50; batch++) await append(writing, 't1', fence, batch)
  expect(await following).toEqual(Array.from({ length: 52 }, (_, index) => index + 1))
})

it('deletes wakes whose task is gone', async () => {
  const path = temporaryFile()
  const clock = manualClock()
  const store = await open({ path, now: clock.now })
  await createTask(store, 't1')
  const raw = new Database(path)
  raw.prepare('insert into wakes values (?, ?, ?, ?)').run('gone', AGENT, clock.now(), 0)
  clock.advance(15_000)
  expect((await store.claimDue([AGENT], 10)).map((due) => due.taskId)).toEqual(['t1'])
  expect(raw.prepare('select task_id from wakes').pluck().all()).toEqual(['t1'])
  raw.close()
})

async function lockInAnotherProcess(path: string): Promise<() => Promise<void>> {
  const code = `
    const raw = new (require('better-sqlite3'))(process.argv[1])
    raw.exec('begin immediate')
    console.log('locked')
    process.stdin.resume().on('end', () => { raw.exec('rollback'); raw.close() })`
  const cwd = new URL('../..', import.meta.url)
  const child = spawn(process.execPath, ['-e', code, path], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill()
  })
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.end()
    await once(child, 'exit')
  }
}
