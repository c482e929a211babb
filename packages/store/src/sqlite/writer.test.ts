import Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { Schema } from '../schema.js'
import { StoreUnavailableError } from '../store-error.js'
import { createConnection } from './connection.js'
import { temporaryFile } from './temporary-file.js'
import { Writer } from './writer.js'

/** A writer over a table of numbers, with the statements that it ran and the commits that it announced. */
function openWriter(deadlineMs = 5000) {
  const statements: string[] = []
  const path = temporaryFile()
  const raw = new Database(path, { timeout: 0, verbose: (statement) => statements.push(String(statement)) })
  onTestFinished(() => {
    raw.close()
  })
  raw.exec('pragma journal_mode = wal; create table numbers (n integer primary key, parent integer)')
  const announced: string[][] = []
  const writer = new Writer(createConnection(raw), {
    deadlineMs,
    random: () => 0.5,
    onCommit: (changes) => announced.push([...changes.keys()]),
  })
  const commits = () => statements.filter((statement) => statement === 'commit').length
  const numbers = () => raw.prepare('select n from numbers order by n').pluck().all()
  return { path, raw, writer, announced, commits, numbers }
}

async function insert(db: Kysely<Schema>, n: number): Promise<void> {
  await sql`insert into numbers (n) values (${n})`.execute(db)
}

it('lets all that is queued share one commit', async () => {
  const { writer, commits, numbers, announced } = openWriter()
  const writes = Array.from({ length: 50 }, (_, n) =>
    writer.write('append', async (db, changes) => {
      await insert(db, n)
      changes.set(`t${n % 2}`, n)
      return n
    }),
  )
  expect(await Promise.all(writes)).toEqual(Array.from({ length: 50 }, (_, n) => n))
  expect(numbers()).toHaveLength(50)
  expect(commits()).toBe(1)
  expect(announced).toEqual([['t0', 't1']])
})

it('bounds how many share a commit', async () => {
  const { writer, commits } = openWriter()
  await Promise.all(Array.from({ length: 200 }, (_, n) => writer.write('accept', (db) => insert(db, n))))
  expect(commits()).toBe(4)
})

it('takes back only the work that throws, and announces nothing of it', async () => {
  const { writer, commits, numbers, announced } = openWriter()
  const fault = new Error('no')
  const outcomes = await Promise.allSettled([
    writer.write('accept', async (db, changes) => {
      changes.set('a', 1)
      await insert(db, 1)
    }),
    writer.write('accept', async (db, changes) => {
      changes.set('b', 1)
      await insert(db, 2)
      throw fault
    }),
    writer.write('accept', (db) => insert(db, 1)),
    writer.write('accept', (db) => insert(db, 3)),
  ])
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: fault })
  expect(outcomes[2]).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } })
  expect(numbers()).toEqual([1, 3])
  expect(commits()).toBe(1)
  expect(announced).toEqual([['a']])
})

it('runs accepts before appends, though they came later, and lets no append starve', async () => {
  const { writer } = openWriter()
  const order: string[] = []
  const note = (kind: 'accept' | 'append') => writer.write(kind, async () => order.push(kind))
  await Promise.all([...Array.from({ length: 3 }, () => note('append')), ...Array.from({ length: 40 }, () => note('accept'))])
  const expected = [16, 16, 8].flatMap((accepts) => [...Array.from({ length: accepts }, () => 'accept'), 'append'])
  expect(order).toEqual(expected)
})

it('rejects the whole group when the commit fails, those too that had been refused, and goes on', async () => {
  const { raw, writer, numbers, announced } = openWriter()
  raw.pragma('foreign_keys = on')
  raw.exec('create table children (parent integer references numbers (n) deferrable initially deferred)')
  const outcomes = await Promise.allSettled([
    writer.write('accept', async (db, changes) => {
      changes.set('a', 1)
      await insert(db, 1)
    }),
    writer.write('accept', async () => {
      throw new Error('refused')
    }),
    writer.write('accept', (db) => sql`insert into children values (99)`.execute(db)),
  ])
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ reason: { name: 'StoreUnavailableError', cause: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } } })
  }
  expect(announced).toEqual([])
  await writer.write('accept', (db) => insert(db, 2))
  expect(numbers()).toEqual([2])
})

it('reports a full disk as unavailable, and goes on when there is room again', async () => {
  const { raw, writer, numbers } = openWriter()
  const fill = (n: number) =>
    writer.write('append', (db) => sql`insert into blobs values (zeroblob(100000))`.execute(db).then(() => insert(db, n)))
  raw.exec('create table blobs (b blob)')
  raw.pragma(`max_page_count = ${Number(raw.pragma('page_count', { simple: true }))}`)
  await expect(fill(1)).rejects.toMatchObject({ name: 'StoreUnavailableError', cause: { code: 'SQLITE_FULL' } })
  raw.pragma('max_page_count = 100000')
  await fill(2)
  expect(numbers()).toEqual([2])
})

it('waits for another connection that holds the lock, without blocking the thread', async () => {
  const { path, writer, numbers } = openWriter(60_000)
  const other = new Database(path)
  other.exec('begin immediate; insert into numbers (n) values (7)')
  const writing = writer.write('accept', (db) => insert(db, 8))
  setTimeout(() => {
    other.exec('commit')
    other.close()
  }, 30)
  await writing
  expect(numbers()).toEqual([7, 8])
})

it('gives up at the deadline while another connection holds the lock, and has written nothing', async () => {
  const { path, writer, numbers } = openWriter(50)
  const other = new Database(path)
  other.exec('begin immediate')
  const outcomes = await Promise.allSettled([writer.write('accept', (db) => insert(db, 1)), writer.write('append', (db) => insert(db, 2))])
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
  other.exec('commit')
  other.close()
  await writer.idle()
  expect(numbers()).toEqual([])
  await writer.write('accept', (db) => insert(db, 3))
  expect(numbers()).toEqual([3])
})

it('lets another process write while it is busy without an end', async () => {
  const { path, writer, numbers } = openWriter(60_000)
  const raw = new Database(path, { timeout: 0 })
  const other = new Writer(createConnection(raw), { deadlineMs: 60_000, random: Math.random, onCommit: () => {} })
  let done = false
  const busy = Array.from({ length: 100 }, async (_, lane) => {
    for (let round = 0; !done; round++) await writer.write('append', (db) => insert(db, lane + 100 * round))
  })
  for (let n = 1; n <= 5; n++) await other.write('accept', (db) => insert(db, -n))
  done = true
  await Promise.all(busy)
  raw.close()
  expect(numbers().slice(0, 5)).toEqual([-5, -4, -3, -2, -1])
})

it('is idle when everything that was queued is done', async () => {
  const { writer, numbers } = openWriter()
  await writer.idle()
  for (let n = 0; n < 100; n++) void writer.write('append', (db) => insert(db, n))
  await writer.idle()
  expect(numbers()).toHaveLength(100)
})
