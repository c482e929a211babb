import { expect, it, onTestFinished, vi } from 'vitest'
import { append, createTask, openTurn, PATIENCE } from '../suite/fixtures.js'
import { runSql } from '../suite/run-sql.js'
import { openSilentProxy } from '../suite/silent-proxy.js'
import { createTestSchema } from '../suite/test-schema.js'
import type { TaskStore } from '../task-store.js'
import { Listener } from './listener.js'
import { openPostgresStore } from './open-postgres-store.js'

vi.setConfig({ testTimeout: PATIENCE.timeout })

async function openTwo(url: string): Promise<readonly [TaskStore, TaskStore]> {
  const open = () => openPostgresStore({ url, acceptDeadlineMs: 30_000 })
  const stores = [await open(), await open()] as const
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))))
  return stores
}

/** Hears what the store's processes tell each other, once it listens. */
async function listen(url: string, store: TaskStore) {
  const heard: string[] = []
  let rung = () => {}
  const listening = new Promise<void>((resolve) => {
    const listener = new Listener({
      client: { connectionString: url },
      channel: `moorage_${store.id}`,
      random: () => 0,
      answerMs: 30_000,
      onPayload: (payload) => {
        heard.push(payload)
        rung()
      },
      onListening: resolve,
    })
    onTestFinished(() => listener.close())
  })
  await listening
  return { heard, next: () => new Promise<void>((resolve) => (rung = resolve)) }
}

const BACKENDS = `from pg_stat_activity where query = 'listen "moorage_`

it('tells other processes ids and sequence numbers, and nothing else', async () => {
  const url = await createTestSchema()
  const [store] = await openTwo(url)
  const { heard, next } = await listen(url, store)
  const told = next()
  await createTask(store, 't1')
  await told
  expect(heard).toEqual(['[["t1",1]]'])
})

it('tells a follower what another process writes, though its listening connection is cut meanwhile', async () => {
  const url = await createTestSchema()
  const [reading, writing] = await openTwo(url)
  await createTask(writing, 't1')
  const fence = await openTurn(writing, 't1')
  const last = 62
  const following = collect(reading, 't1', last)
  for (let batch = 1; batch <= 60; batch++) {
    if (batch % 20 === 10) await runSql(`select pg_terminate_backend(pid) ${BACKENDS}${reading.id}"'`, url)
    await append(writing, 't1', fence, batch)
  }
  expect(await following).toEqual(Array.from({ length: last }, (_, index) => index + 1))
})

it('listens anew where its connection has gone silent', async () => {
  const proxy = await openSilentProxy(await createTestSchema())
  let listened = 0
  const options = { channel: 'moorage_silence', random: () => 0, answerMs: 300, onPayload: () => {}, onListening: () => void listened++ }
  const listener = new Listener({ ...options, client: { connectionString: proxy.url, connectionTimeoutMillis: 300 } })
  onTestFinished(() => listener.close())
  await vi.waitUntil(() => listened === 1, PATIENCE)
  proxy.silent = true
  await vi.waitUntil(() => proxy.made > 1, PATIENCE)
  proxy.silent = false
  await vi.waitUntil(() => listened > 1, PATIENCE)
})

it('listens with one connection a process, which it makes again when it is cut', async () => {
  const url = await createTestSchema()
  const [store] = await openTwo(url)
  await Promise.all(['t1', 't2'].map((id) => createTask(store, id)))
  const stop = new AbortController()
  const following = ['t1', 't2'].map((id) => drain(store, id, stop.signal))
  const pids = async () => (await runSql(`select pid ${BACKENDS}${store.id}"'`, url)).map((row) => row['pid'])
  const first = await vi.waitUntil(async () => ((await pids()).length > 0 ? pids() : false), PATIENCE)
  expect(first).toHaveLength(1)
  await runSql(`select pg_terminate_backend(${first[0]})`, url)
  const second = await vi.waitUntil(async () => {
    const now = await pids()
    return now.length > 0 && now[0] !== first[0] ? now : false
  }, PATIENCE)
  expect(second).toHaveLength(1)
  stop.abort()
  await Promise.all(following)
})

it('is not disturbed by what somebody else says on its channel', async () => {
  const url = await createTestSchema()
  const [reading, writing] = await openTwo(url)
  await createTask(writing, 't1')
  const following = collect(reading, 't1', 2)
  for (const payload of ['', 'hello', '{}', '[1]', 'null']) await runSql(`select pg_notify('moorage_${reading.id}', '${payload}')`, url)
  await openTurn(writing, 't1')
  expect(await following).toEqual([1, 2])
})

it('makes no connection for a follower of a store that is closed', async () => {
  const proxy = await openSilentProxy(await createTestSchema())
  const store = await openPostgresStore({ url: proxy.url })
  await createTask(store, 't1')
  await store.close()
  const before = proxy.made
  await expect(collect(store, 't1', 1)).rejects.toThrow('The store is closed')
  // Made after any that the follower made.
  await runSql('select 1', proxy.url)
  expect(proxy.made).toBe(before + 1)
})

async function collect(store: TaskStore, id: string, last: number): Promise<readonly number[]> {
  const seen: number[] = []
  for await (const entry of store.follow(id, 0, AbortSignal.timeout(PATIENCE.timeout))) {
    seen.push(entry.seq)
    if (entry.seq >= last) break
  }
  return seen
}

async function drain(store: TaskStore, id: string, signal: AbortSignal): Promise<void> {
  for await (const entry of store.follow(id, 0, signal)) expect(entry.seq).toBeGreaterThan(0)
}
