import { getEventListeners, setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../store-error.js'
import type { TaskStore } from '../task-store.js'
import { UnknownTaskError } from '../unknown-task-error.js'
import { AGENT, accept, append, createTask, type OpenStore, openTurn } from './fixtures.js'
import { follow, range } from './follow-up-to.js'

export function describeFollow(open: OpenStore): void {
  describe('follow', () => {
    it('gives every entry once to each of many followers, while they catch up and later', async () => {
      const store = await open()
      await createTask(store, 't1')
      const fence = await openTurn(store, 't1')
      for (let batch = 1; batch <= 100; batch++) await append(store, 't1', fence, batch)
      const last = 202
      const writing = (async () => {
        for (let batch = 101; batch <= 200; batch++) await append(store, 't1', fence, batch)
      })()
      const followers = Array.from({ length: 20 }, (_, index) => follow(store, 't1', index, last))
      const late = writing.then(() => Promise.all([0, 1, 100, last - 1].map((after) => follow(store, 't1', after, last))))
      expect(await Promise.all(followers)).toEqual(Array.from({ length: 20 }, (_, index) => range(index + 1, last)))
      expect(await late).toEqual([0, 1, 100, last - 1].map((after) => range(after + 1, last)))
    })

    it('gives entries of its own task only', async () => {
      const store = await open()
      await Promise.all([createTask(store, 't1'), createTask(store, 't2')])
      const following = Promise.all([follow(store, 't1', 0, 40), follow(store, 't2', 0, 20)])
      for (let index = 2; index <= 40; index++) {
        await accept(store, 't1', `a${index}`)
        if (index <= 20) await accept(store, 't2', `b${index}`)
      }
      expect(await following).toEqual([range(1, 40), range(1, 20)])
    })

    it('refuses a task that does not exist', async () => {
      const store = await open()
      await expect(follow(store, 't1', 0, 1)).rejects.toBeInstanceOf(UnknownTaskError)
    })

    it('reads on for a consumer that takes its time', async () => {
      const store = await open()
      await createTask(store, 't1')
      const seen: number[] = []
      for await (const entry of store.follow('t1', 0, AbortSignal.timeout(60_000))) {
        seen.push(entry.seq)
        if (entry.seq === 150) break
        await accept(store, 't1', `m${entry.seq}`)
      }
      expect(seen).toEqual(range(1, 150))
    })

    it('answers calls of next that do not wait for each other, in order', async () => {
      const store = await open()
      await createTask(store, 't1')
      const iterator = store.follow('t1', 0, AbortSignal.timeout(60_000))[Symbol.asyncIterator]()
      const next = [iterator.next(), iterator.next(), iterator.next()]
      await accept(store, 't1', 'm2')
      await accept(store, 't1', 'm3')
      expect((await Promise.all(next)).map((result) => result.value?.seq)).toEqual([1, 2, 3])
      await iterator.return?.()
    })

    it('ends without an error when the signal is aborted, and leaves no listener', async () => {
      const store = await open()
      await createTask(store, 't1')
      const controller = new AbortController()
      setMaxListeners(0, controller.signal)
      const following = Array.from({ length: 20 }, () => collect(store, 't1', 0, controller.signal))
      await accept(store, 't1', 'm2')
      while (getEventListeners(controller.signal, 'abort').length < 20) await setImmediate()
      controller.abort()
      await Promise.all(following)
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
      expect(await collect(store, 't1', 0, controller.signal)).toEqual([])
    })

    it('ends at once when it is returned from while it waits', async () => {
      const store = await open()
      await createTask(store, 't1')
      const { signal } = new AbortController()
      const iterator = store.follow('t1', 1, signal)[Symbol.asyncIterator]()
      const next = iterator.next()
      while (getEventListeners(signal, 'abort').length === 0) await setImmediate()
      expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
      expect(await next).toEqual({ done: true, value: undefined })
      expect(await iterator.next()).toEqual({ done: true, value: undefined })
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    })

    it('holds nothing before the first entry is asked for', async () => {
      const store = await open()
      await createTask(store, 't1')
      const { signal } = new AbortController()
      const iterator = store.follow('t1', 0, signal)[Symbol.asyncIterator]()
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
      await iterator.next()
      await iterator.return?.()
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    })

    it('gives the same entry to all who follow, and so reads it once', async () => {
      const store = await open()
      await createTask(store, 't1')
      const { signal } = new AbortController()
      setMaxListeners(0, signal)
      const iterators = Array.from({ length: 20 }, () => store.follow('t1', 1, signal)[Symbol.asyncIterator]())
      const first = Promise.all(iterators.map((iterator) => iterator.next()))
      while (getEventListeners(signal, 'abort').length < 20) await setImmediate()
      await accept(store, 't1', 'm2')
      await first
      const second = Promise.all(iterators.map((iterator) => iterator.next()))
      await accept(store, 't1', 'm3')
      expect(new Set((await second).map(({ value }) => value)).size).toBe(1)
      for (const iterator of iterators) await iterator.return?.()
    })

    it('tells all who follow a task that it has been removed', async () => {
      const store = await open()
      await createTask(store, 't1')
      const { signal } = new AbortController()
      const following = Array.from({ length: 5 }, (_, index) => collect(store, 't1', index % 2, signal))
      while (getEventListeners(signal, 'abort').length < 5) await setImmediate()
      await store.transact(['t1'], (tx) => tx.end('t1', 'TASK_STATE_CANCELED'))
      await store.transact(['t1'], (tx) => tx.settle('t1'))
      const ends = Promise.allSettled(following)
      expect(await store.removeTasks(AGENT, 0)).toMatchObject({ removed: 1 })
      for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(UnknownTaskError) })
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    })

    it('throws when the store is closed meanwhile', async () => {
      const store = await open()
      await createTask(store, 't1')
      const { signal } = new AbortController()
      const following = collect(store, 't1', 0, signal)
      while (getEventListeners(signal, 'abort').length === 0) await setImmediate()
      await Promise.all([expect(following).rejects.toBeInstanceOf(StoreUnavailableError), store.close()])
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    })
  })
}

async function collect(store: TaskStore, id: string, after: number, signal: AbortSignal): Promise<readonly number[]> {
  const seen: number[] = []
  for await (const entry of store.follow(id, after, signal)) seen.push(entry.seq)
  return seen
}
