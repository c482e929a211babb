import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { TaskStore } from '../task-store.js'
import type { Fence } from '../turn.js'
import { chunk, createTask, type OpenStore, openTurn } from './fixtures.js'
import { follow, range } from './follow-up-to.js'

export function describeSlowFollowers(open: OpenStore): void {
  describe('follow, for those who are slow', () => {
    it.each([
      ['1,000 entries', 11, 100, 'part'],
      ['4 MiB', 6, 1, 'x'.repeat(1024 * 1024)],
    ])(
      'cuts one who leaves %s untaken and then takes nothing, says where to go on, and holds up nobody',
      async (_, batches, count, text) => {
        const store = await open()
        await createTask(store, 't1')
        const last = 2 + batches * count
        const { signal } = new AbortController()
        let cut = () => {}
        const isCut = new Promise<void>((resolve) => {
          cut = resolve
        })
        const slow = store.follow('t1', 0, signal, { afterMs: 50, onCut: () => cut() })[Symbol.asyncIterator]()
        await slow.next()
        void slow.next()
        const fence = await openTurn(store, 't1')
        const others = Promise.all([follow(store, 't1', 1, last), follow(store, 't1', 2, last)])
        for (let batch = 1; batch <= batches; batch++) await appendChunks(store, fence, batch, count, text)
        expect(await others).toEqual([range(2, last), range(3, last)])
        await isCut
        await expect(slow.next()).rejects.toMatchObject({ name: 'SlowFollowerError', taskId: 't1', after: 2 })
        expect(await slow.next()).toEqual({ done: true, value: undefined })
        expect(getEventListeners(signal, 'abort')).toHaveLength(0)
        expect(await follow(store, 't1', 2, last)).toEqual(range(3, last))
      },
    )

    it('cuts one who catches up and then takes nothing', async () => {
      const store = await open()
      await createTask(store, 't1')
      const fence = await openTurn(store, 't1')
      await appendChunks(store, fence, 1, 3)
      const after = await new Promise<unknown>((resolve, reject) => {
        const slow = store
          .follow('t1', 0, AbortSignal.timeout(60_000), {
            afterMs: 20,
            onCut: () => void slow.next().then(resolve, (error: { after: number }) => resolve(error.after)),
          })
          [Symbol.asyncIterator]()
        slow.next().catch(reject)
      })
      expect(after).toBe(1)
    })

    it('lets one who fell behind go on where it was, as often as it falls', async () => {
      const store = await open()
      await createTask(store, 't1')
      const onCut = vi.fn()
      const slow = store.follow('t1', 0, AbortSignal.timeout(60_000), { afterMs: 60_000, onCut })[Symbol.asyncIterator]()
      const seen = [(await slow.next()).value?.seq]
      const fence = await openTurn(store, 't1')
      for (let fall = 0; fall < 3; fall++) {
        while (seen.length < 2 + fall * 1100) seen.push((await slow.next()).value?.seq)
        const next = slow.next()
        const other = follow(store, 't1', 1, 2 + (fall + 1) * 1100)
        for (let batch = 1; batch <= 11; batch++) await appendChunks(store, fence, fall * 11 + batch, 100)
        await other
        seen.push((await next).value?.seq)
      }
      while (seen.length < 3302) seen.push((await slow.next()).value?.seq)
      await slow.return?.()
      expect(seen).toEqual(range(1, 3302))
      expect(onCut).not.toHaveBeenCalled()
    })

    it('gives a whole entry that is larger than what is kept for a follower, also several at once', async () => {
      const store = await open()
      await createTask(store, 't1')
      const { signal } = new AbortController()
      const onCut = vi.fn()
      const iterator = store.follow('t1', 0, signal, { afterMs: 60_000, onCut })[Symbol.asyncIterator]()
      const first = await iterator.next()
      const second = iterator.next()
      const fence = await openTurn(store, 't1')
      const other = follow(store, 't1', 0, 5)
      for (let batch = 1; batch <= 3; batch++) await appendChunks(store, fence, batch, 1, 'x'.repeat(5 * 1024 * 1024))
      await other
      const seen = [first, await second, await iterator.next(), await iterator.next(), await iterator.next()]
      expect(seen.map(({ value }) => value?.seq)).toEqual([1, 2, 3, 4, 5])
      await iterator.return?.()
      expect(onCut).not.toHaveBeenCalled()
    })

    it('cuts nobody who takes at once, however much is written at once', async () => {
      const store = await open()
      await createTask(store, 't1')
      const following = follow(store, 't1', 0, 14)
      const fence = await openTurn(store, 't1')
      await appendChunks(store, fence, 1, 12, 'x'.repeat(1024 * 1024))
      expect(await following).toEqual(range(1, 14))
      expect(await follow(store, 't1', 0, 14)).toEqual(range(1, 14))
    })

    it('never cuts one who catches up, however slowly', async () => {
      const store = await open()
      await createTask(store, 't1')
      const fence = await openTurn(store, 't1')
      for (let batch = 1; batch <= 2; batch++) await appendChunks(store, fence, batch, 100)
      const slow = store.follow('t1', 0, AbortSignal.timeout(60_000))[Symbol.asyncIterator]()
      await slow.next()
      for (let batch = 3; batch <= 20; batch++) await appendChunks(store, fence, batch, 100)
      for (let seq = 2; seq <= 2002; seq++) expect((await slow.next()).value?.seq).toBe(seq)
      await slow.return?.()
    })
  })
}

async function appendChunks(store: TaskStore, fence: Fence, batch: number, count: number, text = 'part'): Promise<void> {
  const writes = Array.from({ length: count }, () => chunk(text))
  await store.transact(['t1'], (tx) => tx.append('t1', fence, batch, writes), { priority: 'append' })
}
