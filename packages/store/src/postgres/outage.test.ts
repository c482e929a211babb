import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '@moorage/dev-postgres'
import { beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest'
import type { Receipt } from '../inbox-row.js'
import type { LogEntry } from '../log-entry.js'
import { StoreUnavailableError } from '../store-error.js'
import { accept, chunk, createTask, inboxRow, openTurn, PATIENCE } from '../suite/fixtures.js'
import { holdLock } from '../suite/hold-lock.js'
import { runSql } from '../suite/run-sql.js'
import { openSilentProxy } from '../suite/silent-proxy.js'
import { createTestSchema } from '../suite/test-schema.js'
import type { TaskStore } from '../task-store.js'
import { openPostgresStore } from './open-postgres-store.js'
import { MIGRATION_LOCK } from './prepare-schema.js'

vi.setConfig({ testTimeout: PATIENCE.timeout, hookTimeout: PATIENCE.timeout })

/** Who has waited for a lock for longer than the deadline. */
const WAITING_LONG = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  and clock_timestamp() - query_start > interval '500 milliseconds'`

let server: PostgresServer

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'moorage-postgres-'))
  server = await startPostgres({ dataDir, settings: { fsync: 'off' } })
  return async () => {
    await server.stop('immediate')
    await rm(dataDir, { recursive: true })
  }
})

async function open(url: string, acceptDeadlineMs: number): Promise<TaskStore> {
  const store = await openPostgresStore({ url, acceptDeadlineMs })
  onTestFinished(() => store.close())
  return store
}

/** Calls until the database has answered; what it refuses meanwhile must be safe to repeat. */
async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      expect(error).toBeInstanceOf(StoreUnavailableError)
      await sleep(20)
    }
  }
}

it.each(['fast', 'immediate'] as const)('loses and doubles nothing when the server is restarted under load: %s', async (mode) => {
  const url = await server.createDatabase()
  const [store, patient] = [await open(url, 1000), await open(url, 30_000)]
  const ids = Array.from({ length: 20 }, (_, index) => `t${index}`)
  await Promise.all(ids.map((id) => createTask(patient, id)))
  const following = ids.map((id) => followToEnd(store, id))
  let restarted = false
  const writing = ids.map(async (id) => {
    const fence = await untilAnswered(() => openTurn(store, id))
    let batch = 0
    while (!restarted || batch < 10) {
      batch++
      await untilAnswered(() => store.transact([id], (tx) => tx.append(id, fence, batch, [chunk(`${batch}`)]), { priority: 'append' }))
      await untilAnswered(() => acceptOnce(store, id, `${id}/message ${batch}`))
    }
    await untilAnswered(() => store.transact([id], (tx) => tx.end(id, 'TASK_STATE_CANCELED')).catch(ignoreEnded))
    return batch
  })
  await sleep(100)
  await server.restart(mode)
  restarted = true
  const counts = await Promise.all(writing)
  const chunks = counts.map((count) => Array.from({ length: count }, (_, index) => `${index + 1}`))
  for (const [index, entries] of (await Promise.all(following)).entries()) {
    expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, place) => place + 1))
    expect(textsOf(entries)).toEqual(chunks[index])
  }
  for (const [index, id] of ids.entries()) {
    const parts = (await patient.get(id))?.task.artifacts?.[0]?.parts
    expect(parts?.map((part) => ('text' in part ? part.text : ''))).toEqual(chunks[index])
    expect(await patient.record(id)).toMatchObject({ position: 1 + (counts[index] ?? 0) })
  }
})

it('keeps a follower that has begun until the server is back, and refuses one that begins meanwhile', async () => {
  const store = await open(await server.createDatabase(), 300)
  await createTask(store, 't1')
  const entries = store.follow('t1', 0, AbortSignal.timeout(PATIENCE.timeout))[Symbol.asyncIterator]()
  expect((await entries.next()).value).toMatchObject({ seq: 1 })
  const second = entries.next()
  await server.stop()
  const late = store.follow('t1', 0, AbortSignal.timeout(PATIENCE.timeout))[Symbol.asyncIterator]()
  await expect(late.next()).rejects.toBeInstanceOf(StoreUnavailableError)
  await expect(store.get('t1')).rejects.toBeInstanceOf(StoreUnavailableError)
  await server.start()
  await untilAnswered(() => accept(store, 't1', 'm2'))
  expect((await second).value).toMatchObject({ seq: 2 })
})

it('rides out a restart that is over before the deadline, without refusing anybody', async () => {
  const store = await open(await server.createDatabase(), 30_000)
  await createTask(store, 't1')
  await server.stop()
  const calls = [accept(store, 't1', 'm2'), store.get('t1'), store.check(), createTask(store, 't2')]
  await server.start()
  await expect(Promise.all(calls)).resolves.toBeDefined()
  expect(await store.record('t1')).toMatchObject({ position: 2 })
})

it('waits for a migration by another process beyond the deadline of a call', async () => {
  const url = await server.createDatabase()
  const release = await holdLock(url, `select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  const opening = open(url, 300)
  await vi.waitFor(async () => expect(await runSql(WAITING_LONG, url)).toHaveLength(1), PATIENCE)
  await release()
  const store = await opening
  expect(await store.record('t1')).toBeUndefined()
})

it('refuses within the deadline while the server is silent, and goes on when it speaks again', async () => {
  const proxy = await openSilentProxy(await createTestSchema())
  const store = await open(proxy.url, 1500)
  await createTask(store, 't1')
  proxy.silent = true
  const calls = Array.from({ length: 30 }, (_, index) => [
    accept(store, 't1', `m${index}`),
    store.get('t1'),
    createTask(store, `u${index}`),
  ])
  for (const outcome of await Promise.allSettled([...calls.flat(), store.check()])) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
  }
  proxy.silent = false
  await untilAnswered(() => accept(store, 't1', 'again'))
  expect(await store.record('t1')).toMatchObject({ position: 2 })
})

it('runs a transaction again whose connection is lost before it is committed', async () => {
  const url = await server.createDatabase()
  const store = await open(url, 30_000)
  let runs = 0
  const asking = store.transact([], async (tx) => {
    runs++
    await tx.receipt('m1')
    if (runs === 1) await endConnections(url)
    return tx.now
  })
  await expect(asking).resolves.toBeGreaterThan(0)
  expect(runs).toBe(2)
})

it('says that a commit may have been made whose answer was lost', async () => {
  const proxy = await openSilentProxy(await createTestSchema())
  const store = await open(proxy.url, 1500)
  await createTask(store, 't1')
  const losing = store.transact(['t1'], async (tx) => {
    await tx.task('t1')
    proxy.silent = true
  })
  await expect(losing).rejects.toThrow(/did not say whether it committed .*: repeat the call/)
  await expect(losing).rejects.toBeInstanceOf(StoreUnavailableError)
})

it('closes while the server is silent', async () => {
  const proxy = await openSilentProxy(inject('databaseUrl'))
  const url = new URL(proxy.url)
  url.search = new URL(await createTestSchema()).search
  const store = await openPostgresStore({ url: url.href, acceptDeadlineMs: 1500 })
  proxy.silent = true
  const calls = Promise.allSettled([store.check(), createTask(store, 't1')])
  await store.close()
  for (const outcome of await calls) expect(outcome.status).toBe('rejected')
})

/** Ends those of the stores, and returns when they have ended. */
async function endConnections(url: string): Promise<void> {
  await runSql(
    `select pg_terminate_backend(pid, 30000) from pg_stat_activity where datname = current_database() and application_name = 'moorage'`,
    url,
  )
}

function acceptOnce(store: TaskStore, id: string, messageId: string): Promise<Receipt> {
  return store.transact([id], async (tx) => (await tx.receipt(messageId)) ?? tx.accept(id, inboxRow(messageId)))
}

/** Everything that the log tells until the task is canceled, over as many followers as that takes. */
async function followToEnd(store: TaskStore, id: string): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  const collect = async () => {
    for await (const entry of store.follow(id, entries.length, AbortSignal.timeout(PATIENCE.timeout))) {
      entries.push(entry)
      if (entry.state === 'TASK_STATE_CANCELED') return
    }
  }
  await untilAnswered(collect)
  return entries
}

function textsOf(entries: readonly LogEntry[]): readonly string[] {
  const parts = entries.flatMap(({ payload }) => ('artifactUpdate' in payload ? payload.artifactUpdate.artifact.parts : []))
  return parts.map((part) => ('text' in part ? part.text : ''))
}

/** The end was written by a call whose answer was lost. */
function ignoreEnded(error: unknown): void {
  if (error instanceof StoreUnavailableError) throw error
}
