import { getEventListeners, setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { StoredEntry } from '../read/stored-entry.js'
import { StoreUnavailableError } from '../store-error.js'
import type { FollowCut } from '../task-store.js'
import { Bells } from './bells.js'
import { FollowedTasks } from './followed-tasks.js'

const STATE = {
  at: '2026-01-01T00:00:00.000Z',
  state: 'TASK_STATE_WORKING',
  handled: 0,
  payload: { internal: { kind: 'handled' } },
} as const

/** The log of one task, whose reads a test may count, hold up, or make fail. */
function openLog(length: number) {
  const log: StoredEntry[] = []
  const grow = (count: number): void => {
    for (let i = 0; i < count; i++) log.push({ entry: { ...STATE, seq: log.length + 1 }, bytes: 1 })
  }
  grow(length)
  const bells = new Bells(
    () => {},
    () => {},
  )
  const reads: number[] = []
  let gate: Promise<void> = Promise.resolve()
  let failure: Error | undefined
  const followed = new FollowedTasks({
    async read(_taskId, after, { entries }) {
      reads.push(after)
      const [found, failed] = [log.slice(after, after + entries), failure]
      await gate
      if (failed) throw failed
      return found
    },
    listen: (taskId, waiter) => bells.listen(taskId, waiter),
    isClosed: () => false,
  })
  /** Reads see what is there when they begin, and answer when they are let go. */
  const holdReads = (): (() => void) => {
    let letGo = () => {}
    gate = new Promise((resolve) => {
      letGo = resolve
    })
    return () => {
      gate = Promise.resolve()
      letGo()
    }
  }
  const write = (count = 1): void => {
    grow(count)
    bells.ring('t', log.length)
  }
  const fail = (error: Error | undefined): void => {
    failure = error
  }
  return { followed, bells, reads, write, holdReads, fail }
}

function follow({ followed }: ReturnType<typeof openLog>, after: number, signal = new AbortController().signal, cut?: FollowCut) {
  const iterator = followed.follow('t', after, signal, cut)[Symbol.asyncIterator]()
  const next = async () => (await iterator.next()).value?.seq
  return { next, stop: () => iterator.return?.() }
}

/** Lets everything go on that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await setImmediate()
}

it('reads a new entry once, however many follow', async () => {
  const log = openLog(1)
  const followers = Array.from({ length: 1000 }, () => follow(log, 1))
  const first = Promise.all(followers.map(({ next }) => next()))
  await settle()
  const before = log.reads.length
  log.write()
  expect(new Set(await first)).toEqual(new Set([2]))
  expect(log.reads.slice(before)).toEqual([1])
})

/** How many entries are taken, at most, before the process gets to something else. */
async function mostAtOnce(followers: readonly ReturnType<typeof follow>[], last: number): Promise<number> {
  let taken = 0
  let most = 0
  let over = false
  const takeAll = async ({ next }: ReturnType<typeof follow>) => {
    for (let seq = await next(); seq !== last; seq = await next()) taken += 1
  }
  const taking = Promise.all(followers.map(takeAll)).then(() => {
    over = true
  })
  for (let before = taken; !over; before = taken) {
    await setImmediate()
    most = Math.max(most, taken - before)
  }
  await taking
  return most
}

it('lets the process get to everything else while 1,000 take what is new, or catch up', async () => {
  const log = openLog(1)
  const followers = Array.from({ length: 1000 }, () => follow(log, 0))
  await Promise.all(followers.map(({ next }) => next()))
  log.write(100)
  expect(await mostAtOnce(followers, 101)).toBeLessThan(2000)
  const returned = Array.from({ length: 1000 }, () => follow(log, 0))
  expect(await mostAtOnce(returned, 101)).toBeLessThan(2000)
})

it('loses and doubles nothing where the reader goes on while a follower reads its own gap', async () => {
  const log = openLog(1)
  const ahead = follow(log, 1)
  const waiting = ahead.next()
  await settle()
  const letGo = log.holdReads()
  const behind = follow(log, 0)
  const first = behind.next()
  await settle()
  // The follower's read has begun, and does not see these; the reader's does.
  log.holdReads()()
  log.write(3)
  expect(await waiting).toBe(2)
  letGo()
  const seen = [await first]
  log.write(2)
  for (let i = 0; i < 5; i++) seen.push(await behind.next())
  expect(seen).toEqual([1, 2, 3, 4, 5, 6])
})

it('gives a follower that was ahead of the reader each entry once', async () => {
  const log = openLog(1)
  const first = follow(log, 1)
  const waiting = first.next()
  await settle()
  const letGo = log.holdReads()
  log.write()
  await settle()
  log.holdReads()()
  const ahead = follow(log, 0)
  expect([await ahead.next(), await ahead.next()]).toEqual([1, 2])
  const third = ahead.next()
  letGo()
  expect(await waiting).toBe(2)
  log.write()
  expect(await third).toBe(3)
})

it('leaves nobody behind after 10,000 have come and gone, in whatever way', async () => {
  const log = openLog(3)
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  for (let round = 0; round < 100; round++) {
    const leaving = new AbortController()
    setMaxListeners(0, leaving.signal)
    const followers = Array.from({ length: 100 }, (_, index) => follow(log, index % 4, index % 2 ? signal : leaving.signal))
    const nexts = followers.map(({ next }) => next())
    if (round % 3 > 0) await settle()
    if (round % 3 > 1) log.write()
    for (const [index, { stop }] of followers.entries()) if (index % 2) void stop()
    leaving.abort()
    await Promise.all(nexts)
    for (const { stop } of followers) await stop()
    expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(0)
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  expect(log.bells.taskIds).toEqual([])
  const { length } = log.reads
  log.write()
  await settle()
  expect(log.reads).toHaveLength(length)
})

it('waits an outage out for all, and reads again when it is rung', async () => {
  const log = openLog(1)
  const followers = [follow(log, 1), follow(log, 1)]
  const nexts = followers.map(({ next }) => next())
  await settle()
  log.fail(new StoreUnavailableError('away'))
  log.write()
  await settle()
  await expect(follow(log, 1).next()).rejects.toThrow('away')
  log.fail(undefined)
  log.write()
  expect(await Promise.all(nexts)).toEqual([2, 2])
})

it('ends all where the log cannot be read for good, after what they have', async () => {
  const log = openLog(1)
  const followers = [follow(log, 0), follow(log, 1)]
  const [first, second] = followers.map(({ next }) => next())
  expect(await first).toBe(1)
  await settle()
  log.write()
  expect(await second).toBe(2)
  log.fail(new Error('broken'))
  log.write()
  await settle()
  expect(await followers[0]?.next()).toBe(2)
  for (const { next } of followers) await expect(next()).rejects.toThrow('broken')
  expect(log.bells.taskIds).toEqual([])
})

it('cuts nobody who takes in time after it fell behind in the middle of what it had read for itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const log = openLog(3)
  const onCut = vi.fn()
  const { next, stop } = follow(log, 0, undefined, { afterMs: 15_000, onCut })
  expect(await next()).toBe(1)
  log.write(2000)
  while (log.bells.taskIds.length > 0) await settle()
  for (let seq = 2; seq <= 5; seq++) {
    vi.advanceTimersByTime(10_000)
    expect(await next()).toBe(seq)
  }
  expect(onCut).not.toHaveBeenCalled()
  await stop()
  expect(vi.getTimerCount()).toBe(0)
})

it('does not read again and again where the reader is further than the log, which has begun anew', async () => {
  const log = openLog(1)
  const ahead = follow(log, 3)
  const waiting = ahead.next()
  await settle()
  const behind = follow(log, 0)
  expect(await behind.next()).toBe(1)
  const second = behind.next()
  await settle()
  expect(log.reads.length).toBeLessThan(10)
  log.write()
  expect(await second).toBe(2)
  log.write(2)
  expect([await behind.next(), await behind.next(), await waiting]).toEqual([3, 4, 4])
})
