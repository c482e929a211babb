import { describe, expect, it } from 'vitest'
import { AGENT, accept, createTask, manualClock, type OpenStore, openTurn } from './fixtures.js'

const FIRST_MS = 1000

export function describeWakes(open: OpenStore): void {
  describe('claimDue', () => {
    it('claims a task with its unhandled rows once its wake is due', async () => {
      const { clock, store } = await openWithClock(open)
      await createTask(store, 't1')
      await accept(store, 't1', 'm2')
      clock.advance(FIRST_MS - 1)
      expect(await store.claimDue([AGENT], 10)).toEqual([])
      clock.advance(1)
      expect(await store.claimDue([AGENT], 10)).toEqual([
        {
          taskId: 't1',
          agent: AGENT,
          unhandled: [
            { position: 1, kind: 'message' },
            { position: 2, kind: 'message' },
          ],
        },
      ])
      expect(await store.claimDue([AGENT], 10)).toEqual([])
    })

    it('waits twice as long after each claim, up to ten minutes', async () => {
      const { clock, store } = await openWithClock(open)
      await createTask(store, 't1')
      clock.advance(FIRST_MS)
      await store.claimDue([AGENT], 10)
      for (const delay of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600].map((seconds) => seconds * 1000)) {
        clock.advance(delay - 1)
        expect(await store.claimDue([AGENT], 10)).toEqual([])
        clock.advance(1)
        expect(await store.claimDue([AGENT], 10)).toHaveLength(1)
      }
    })

    it('spreads the wakes of tasks that came together by up to a fifth', async () => {
      const clock = manualClock()
      const store = await open({ now: clock.now, wakeAfterMs: FIRST_MS, random: alternating(0, 1) })
      await createTask(store, 'a')
      await createTask(store, 'b')
      clock.advance(FIRST_MS)
      expect(await store.claimDue([AGENT], 10)).toHaveLength(2)
      clock.advance(FIRST_MS)
      expect(await store.claimDue([AGENT], 10)).toHaveLength(1)
      clock.advance(FIRST_MS / 5)
      expect(await store.claimDue([AGENT], 10)).toHaveLength(1)
    })

    it('claims the oldest of the named agents only, and no more than asked for', async () => {
      const { clock, store } = await openWithClock(open)
      for (const id of ['c', 'b', 'a']) {
        await createTask(store, id)
        clock.advance(1)
      }
      await createTask(store, 'x', { agent: 'sales' })
      clock.advance(FIRST_MS)
      expect(await store.claimDue([], 10)).toEqual([])
      expect((await store.claimDue([AGENT, 'nobody'], 2)).map((due) => due.taskId)).toEqual(['c', 'b'])
      expect((await store.claimDue([AGENT], 2)).map((due) => due.taskId)).toEqual(['a'])
      expect((await store.claimDue(['sales'], 2)).map((due) => due.taskId)).toEqual(['x'])
    })

    it('gives each due task to one of many sweeps', async () => {
      const { clock, store } = await openWithClock(open)
      await Promise.all(Array.from({ length: 30 }, (_, index) => createTask(store, `t${index}`)))
      clock.advance(FIRST_MS)
      const claims = await Promise.all(Array.from({ length: 6 }, () => store.claimDue([AGENT], 10)))
      const claimed = claims.flat().map((due) => due.taskId)
      expect(claimed).toHaveLength(30)
      expect(new Set(claimed).size).toBe(30)
    })

    it('claims a task in time although messages go on coming', async () => {
      const { clock, store } = await openWithClock(open)
      await createTask(store, 't1')
      clock.advance(FIRST_MS - 1)
      await accept(store, 't1', 'm2')
      clock.advance(1)
      expect(await store.claimDue([AGENT], 10)).toHaveLength(1)
    })

    it('puts off the wake of a running turn, but not that of a command which nobody runs', async () => {
      const { clock, store } = await openWithClock(open)
      await createTask(store, 't1')
      await openTurn(store, 't1')
      clock.advance(FIRST_MS - 1)
      await store.transact(['t1'], (tx) => tx.postponeWake('t1'))
      clock.advance(1)
      expect(await store.claimDue([AGENT], 10)).toEqual([])
      await accept(store, 't1', '/status')
      clock.advance(FIRST_MS - 1)
      await store.transact(['t1'], (tx) => tx.postponeWake('t1'))
      expect(await store.claimDue([AGENT], 10)).toHaveLength(1)
    })

    it('puts off the wake of a running command, but not that of a message which nobody runs', async () => {
      const { clock, store } = await openWithClock(open)
      await createTask(store, 't1')
      const fence = await openTurn(store, 't1')
      await store.transact(['t1'], (tx) => tx.endTurn('t1', fence, { kind: 'ask' }))
      await accept(store, 't1', '/status')
      await store.transact(['t1'], (tx) => tx.claimCommand('t1', { id: 'run/2', attempt: 1 }))
      clock.advance(FIRST_MS - 1)
      await store.transact(['t1'], (tx) => tx.postponeWake('t1'))
      clock.advance(1)
      expect(await store.claimDue([AGENT], 10)).toEqual([])
      await accept(store, 't1', 'm3')
      clock.advance(FIRST_MS - 1)
      await store.transact(['t1'], (tx) => tx.postponeWake('t1'))
      expect(await store.claimDue([AGENT], 10)).toHaveLength(1)
    })

    it('claims a task whose mark was made before the clock was put back', async () => {
      const { clock, store } = await openWithClock(open)
      clock.advance(3_600_000)
      await createTask(store, 't1')
      clock.advance(-3_600_000)
      expect(await store.claimDue([AGENT], 10)).toHaveLength(1)
    })

    it.each([700_001, 2 ** 31 - 1])('waits longer than ten minutes where it is told to: %s', async (wakeAfterMs) => {
      const clock = manualClock()
      const store = await open({ now: clock.now, wakeAfterMs, random: () => 0.3 })
      await createTask(store, 't1')
      for (const delay of [wakeAfterMs, Math.round(wakeAfterMs * 1.06)]) {
        clock.advance(delay - 1)
        expect(await store.claimDue([AGENT], 10)).toEqual([])
        clock.advance(1)
        expect(await store.claimDue([AGENT], 10)).toHaveLength(1)
      }
    })

    it('leaves a task alone that has been settled', async () => {
      const { clock, store } = await openWithClock(open)
      await createTask(store, 't1')
      await store.transact(['t1'], (tx) => tx.end('t1', 'TASK_STATE_CANCELED'))
      await store.transact(['t1'], (tx) => tx.settle('t1'))
      clock.advance(10 * FIRST_MS)
      expect(await store.claimDue([AGENT], 10)).toEqual([])
    })
  })

  describe('countUnfinished', () => {
    it('counts by agent the open tasks that have work left', async () => {
      const { store } = await openWithClock(open)
      expect(await store.countUnfinished()).toEqual(new Map())
      for (const id of ['a', 'b', 'ended']) await createTask(store, id)
      await createTask(store, 'x', { agent: 'sales' })
      await store.transact(['ended'], (tx) => tx.end('ended', 'TASK_STATE_CANCELED'))
      expect(await store.countUnfinished()).toEqual(
        new Map([
          [AGENT, 2],
          ['sales', 1],
        ]),
      )
    })
  })
}

async function openWithClock(open: OpenStore) {
  const clock = manualClock()
  return { clock, store: await open({ now: clock.now, wakeAfterMs: FIRST_MS, random: () => 0 }) }
}

function alternating(...values: readonly number[]): () => number {
  let calls = 0
  return () => values[calls++ % values.length] ?? 0
}
