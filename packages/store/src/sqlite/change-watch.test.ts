import Database from 'better-sqlite3'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { ChangeWatch } from './change-watch.js'
import { createConnection } from './connection.js'
import { Reader } from './reader.js'
import { temporaryFile } from './temporary-file.js'

let path: string
let writer: Database.Database
let watch: ChangeWatch

function connect(): Database.Database {
  const raw = new Database(path)
  onTestFinished(() => {
    raw.close()
  })
  return raw
}

function advance(raw: Database.Database, taskId: string): void {
  raw.prepare('update tasks set seq = seq + 1 where id = ?').run(taskId)
}

/** Resolves when somebody who has read up to entry 1 is rung. */
function rung(taskId: string): Promise<void> {
  return new Promise((resolve) => {
    const ring = () => {
      stop()
      resolve()
    }
    const stop = watch.listen(taskId, { after: 1, ring })
  })
}

beforeEach(() => {
  path = temporaryFile()
  writer = connect()
  writer.exec(`
    pragma journal_mode = wal;
    create table tasks (id text primary key, seq integer);
    insert into tasks values ('a', 1), ('b', 1)`)
  watch = new ChangeWatch(writer, new Reader(createConnection(connect()), { deadlineMs: 1000, random: () => 0 }))
})

it('rings when it is told', async () => {
  const ring = rung('a')
  watch.announce(new Map([['a', 2]]))
  await ring
})

it('rings for what another connection wrote, and for nothing else', async () => {
  let other = false
  const listening = {
    after: 1,
    ring: () => {
      other = true
    },
  }
  const stop = watch.listen('b', listening)
  const ring = rung('a')
  advance(connect(), 'a')
  await ring
  stop()
  expect(other).toBe(false)
})

it('finds within a second what nobody told it', async () => {
  const known = rung('b')
  advance(connect(), 'b')
  await known
  const ring = rung('a')
  advance(writer, 'a')
  await ring
})

it('rings when the database cannot be read, so that whoever waits meets the error', async () => {
  const ring = rung('a')
  writer.exec('drop table tasks')
  await ring
})

it('leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const stop = watch.listen('a', { after: 1, ring: () => {} })
  expect(timers()).toBe(before + 1)
  stop()
  expect(timers()).toBe(before)
})
