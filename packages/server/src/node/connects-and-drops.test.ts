import { getEventListeners } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { TaskStore } from '@moorage/store'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BINDINGS } from '../testing/bindings.js'
import { countFollowers } from '../testing/count-followers.js'
import { chunk, openTurn } from '../testing/play.js'
import { readSse } from '../testing/read-sse.js'
import { overrideStore, startTestServer, type TestServerOptions } from '../testing/test-server.js'
import { newTask } from '../testing/test-tasks.js'
import { serve } from './serve.js'

const AT_ONCE = 100
const PATIENCE = { timeout: 120_000 }
/** How many of each kind there are: 10,000 in all. */
const ROUNDS = { aborted: 32, canceled: 32, early: 32, cut: 1, sockets: 3 }

const active = (kind: string) => process.getActiveResourcesInfo().filter((resource) => resource === kind).length
const timers = () => active('Timeout')

/** A task on a server with room for `AT_ONCE` streams, and what is counted of it. */
async function startCounted(options: TestServerOptions = {}) {
  const followers = countFollowers()
  const limits = { ratePerMinute: 0, streamsPerPeer: AT_ONCE, streams: AT_ONCE }
  let written = 0
  const countWrites = (store: TaskStore) =>
    overrideStore(followers.wrapStore(store), {
      transact: (...asked) => {
        written += 1
        return store.transact(...asked)
      },
    })
  const server = await startTestServer({ ...options, limits, wrapStore: countWrites })
  const id = await newTask(server)
  const signals: AbortSignal[] = []
  let asked = 0
  const fetch = (path: string, init?: RequestInit) => {
    const request = new Request(`http://agent.test${path}`, init)
    asked += 1
    // One with a body is made anew behind the limit on bodies, with a signal of its own.
    if (request.body === null) signals.push(request.signal)
    return Promise.resolve(server.harness.fetch(request))
  }
  const subscribe = (index: number, init: RequestInit = {}) =>
    (BINDINGS[index % 2] ?? BINDINGS[0])?.call({ ...server, fetch }, 'subscribeToTask', { id }, init) as Promise<Response>
  const record = await server.store.record(id)
  written = 0
  const timersBefore = timers()
  const counts = async () => ({
    timers: Math.max(0, timers() - timersBefore),
    followers: followers.open(),
    listeners: signals.reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0),
    record: await server.store.record(id),
    // Who only reads leaves no row, whatever the table.
    written,
  })
  // No timer of the test's own may be among those that are counted.
  const letGo = async () => {
    while (timers() > timersBefore || followers.open() > 0) await setImmediate()
  }
  /** All is as at the start, and there is room for as many streams as then, and for no more. */
  const expectNothingLeft = async (last = record) => {
    await letGo()
    expect(await counts()).toEqual({ timers: 0, followers: 0, listeners: 0, record: last, written: 0 })
    const streams = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => subscribe(index)))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await subscribe(1)).status).toBe(429)
    await Promise.all(streams.map((response) => readSse(response).cancel()))
    await letGo()
  }
  return { ...server, id, subscribe, followers, asked: () => asked, letGo, expectNothingLeft }
}

const range = (length: number) => Array.from({ length }, (_, index) => index)

test('9,600 subscriptions that are aborted, canceled, or dropped before their first byte leave nothing behind', PATIENCE, async () => {
  const { subscribe, expectNothingLeft, asked } = await startCounted()
  for (const round of range(ROUNDS.aborted)) {
    const leaving = new AbortController()
    const streams = await Promise.all(range(AT_ONCE).map((index) => subscribe(index, { signal: leaving.signal })))
    if (round % 2) await Promise.all(streams.map((response) => readSse(response).next()))
    leaving.abort()
  }
  for (const round of range(ROUNDS.canceled)) {
    const readers = (await Promise.all(range(AT_ONCE).map((index) => subscribe(index)))).map(readSse)
    if (round % 2) await Promise.all(readers.map((reader) => reader.next()))
    await Promise.all(readers.map((reader) => reader.cancel()))
  }
  for (const round of range(ROUNDS.early)) {
    const leaving = new AbortController()
    if (round % 3 === 0) leaving.abort()
    const answers = range(AT_ONCE).map((index) => subscribe(index, round % 3 === 0 ? {} : { signal: leaving.signal }))
    if (round % 3 === 1) leaving.abort()
    // The operation is under way.
    if (round % 3 === 2) await Promise.resolve().then(() => leaving.abort())
    const streams = await Promise.all(answers)
    if (round % 3 === 0) await Promise.all(streams.map((response) => readSse(response).cancel()))
  }
  expect(asked()).toBe(9600)
  await expectNothingLeft()
})

test('100 that are cut since they are not read leave nothing behind', PATIENCE, async () => {
  const { subscribe, letGo, expectNothingLeft, store, id, asked } = await startCounted({ keepAliveMs: 100 })
  const turn = await openTurn(store, id)
  for (const _ of range(ROUNDS.cut)) {
    const readers = (await Promise.all(range(AT_ONCE).map((index) => subscribe(index)))).map(readSse)
    // Who has taken the task follows it.
    await Promise.all(readers.map((reader) => reader.next()))
    for (const _batch of range(12)) await turn.write(...range(100).map((index) => chunk('a', `${index} `)))
    await letGo()
    // Nor do they take what is on its way.
    for (const reader of readers) await expect(reader.rest()).rejects.toThrow('takes too little')
  }
  expect(asked()).toBe(100)
  await expectNothingLeft(await store.record(id))
})

test('300 over sockets that are destroyed, before their answer or in it, leave nothing behind', PATIENCE, async () => {
  const { harness, id, followers, expectNothingLeft, store } = await startCounted()
  const sockets = active('TCPSocketWrap')
  const serving = await serve(harness, { port: 0 })
  onTestFinished(() => serving.close())
  for (const round of range(ROUNDS.sockets)) {
    const clients = range(AT_ONCE).map(() => connect(serving.port, '127.0.0.1').on('error', () => {}))
    const answered = clients.map((socket) => new Promise((resolve) => socket.once('data', resolve)))
    const request = `GET /a2a/tasks/${id}:subscribe HTTP/1.1\r\nHost: agent.test\r\nA2A-Version: 1.0\r\n\r\n`
    for (const socket of clients) socket.write(request)
    if (round % 2) await Promise.all(answered)
    else await vi.waitUntil(() => followers.open() > 0, PATIENCE)
    for (const socket of clients) socket.destroy()
    await vi.waitUntil(() => active('TCPSocketWrap') <= sockets, PATIENCE)
  }
  await expectNothingLeft(await store.record(id))
})
