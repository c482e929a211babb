import { getEventListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { TaskStore } from '../task-store.js'
import { UnknownTaskError } from '../unknown-task-error.js'
import { AGENT, append, chunk, createTask, inboxRow, manualClock, type OpenStore, openTurn, principal, says } from './fixtures.js'

const MONTH_MS = 30 * 86_400_000
/** More than one transaction deletes. */
const MANY = 600

export function describeRetention(open: OpenStore): void {
  describe('removeTasks', () => {
    it('removes what ended long enough ago, with everything that belongs to it', async () => {
      const { clock, store } = await openWithClock(open)
      await liveFully(store, 'old')
      clock.advance(1)
      await liveFully(store, 'young')
      await liveFully(store, 'x', 'sales')
      clock.advance(MONTH_MS - 1)
      const young = await store.get('young')
      expect(await store.removeTasks(AGENT, MONTH_MS)).toEqual({ removed: 1, more: false })
      expect(await store.get('old')).toBeUndefined()
      expect(await store.record('old')).toBeUndefined()
      expect(await store.read('old', 0, 100)).toEqual([])
      expect(await idsOf(store)).toEqual(['young'])
      expect(await store.get('young')).toEqual(young)
      expect(await store.record('x')).toBeDefined()
      expect(await store.removeTasks(AGENT, MONTH_MS)).toEqual({ removed: 0, more: false })
    })

    it('keeps open tasks for ever, and those whose run has still to look at them', async () => {
      const { clock, store } = await openWithClock(open)
      for (const id of ['waits', 'asks', 'marked']) await createTask(store, id)
      const fence = await openTurn(store, 'asks')
      await store.transact(['asks'], (tx) => tx.endTurn('asks', fence, { kind: 'ask' }))
      await store.transact(['marked'], (tx) => tx.end('marked', 'TASK_STATE_CANCELED'))
      clock.advance(10 * MONTH_MS)
      expect(await store.removeTasks(AGENT, 1)).toEqual({ removed: 0, more: false })
      expect(await idsOf(store)).toEqual(['asks', 'marked', 'waits'])
      await store.transact(['marked'], (tx) => tx.settle('marked'))
      expect(await store.removeTasks(AGENT, 1)).toMatchObject({ removed: 1 })
    })

    it('makes a new task of a first message that is sent again, with nothing of the old one', async () => {
      const { clock, store } = await openWithClock(open)
      await liveFully(store, 't1')
      clock.advance(MONTH_MS)
      expect(await store.transact(['t1'], (tx) => tx.receipt('t1/1'))).toMatchObject({ position: 1 })
      await store.removeTasks(AGENT, MONTH_MS)
      expect(await store.transact(['t1'], (tx) => tx.receipt('t1/1'))).toBeUndefined()
      await createTask(store, 't1')
      expect(await store.record('t1')).toMatchObject({ seq: 1, position: 1, state: 'TASK_STATE_SUBMITTED' })
      expect(await openTurn(store, 't1')).toEqual({ turn: 1, attempt: 1 })
      const snapshot = await store.get('t1')
      expect(snapshot?.task.history).toHaveLength(1)
      expect(snapshot?.task.artifacts).toEqual([])
    })

    it('says that there is more after a full batch, and comes to an end', async () => {
      const { clock, store } = await openWithClock(open)
      const ids = Array.from({ length: 130 }, (_, index) => `t${index}`)
      for (const id of ids) await end(store, id)
      clock.advance(MONTH_MS)
      const calls = [await store.removeTasks(AGENT, MONTH_MS), await store.removeTasks(AGENT, MONTH_MS)]
      expect(calls).toEqual([
        { removed: 100, more: true },
        { removed: 30, more: false },
      ])
      expect(await idsOf(store)).toEqual([])
    })

    it('removes a task of any length in pieces, of which nobody sees one', async () => {
      const { clock, store } = await openWithClock(open)
      await createTask(store, 'long')
      const fence = await openTurn(store, 'long')
      for (let batch = 1; batch <= 3; batch++) {
        const writes = Array.from({ length: MANY }, (_, index) => chunk(`part ${index}`, `artifact ${index % 3}`))
        await store.transact(['long'], (tx) => tx.append('long', fence, batch, writes))
      }
      await finish(store, 'long')
      clock.advance(MONTH_MS)
      const seen = new Set<number | undefined>()
      const look = async (): Promise<void> => {
        for (let looks = 0, busy = true; busy && looks < 1000; looks++) {
          await setImmediate()
          const [snapshot, log] = [await store.get('long'), await store.read('long', 0, 10_000)]
          seen.add(snapshot?.task.artifacts?.reduce((sum, { parts }) => sum + parts.length, 0))
          seen.add(log.length || undefined)
          busy = snapshot !== undefined
        }
      }
      const looking = look()
      await setImmediate()
      expect(await store.removeTasks(AGENT, MONTH_MS)).toEqual({ removed: 1, more: false })
      await looking
      expect([...seen].filter((size) => size !== undefined).every((size) => size >= 3 * MANY)).toBe(true)
      await createTask(store, 'long')
      expect(await store.read('long', 0, 10_000)).toHaveLength(1)
    })

    it('gives whoever comes meanwhile the whole task or none', async () => {
      const { clock, store } = await openWithClock(open)
      const ids = Array.from({ length: 60 }, (_, index) => `t${index}`)
      for (const id of ids) await end(store, id)
      clock.advance(MONTH_MS)
      const arrivals = ids.map((id) =>
        store.transact([id], async (tx) => {
          const [task, receipt] = [await tx.task(id), await tx.receipt(`${id}/1`)]
          return `${task?.state} ${receipt?.position}`
        }),
      )
      const [removal, ...found] = await Promise.all([store.removeTasks(AGENT, MONTH_MS), ...arrivals])
      expect(removal).toMatchObject({ removed: 60 })
      for (const outcome of found) expect(['TASK_STATE_CANCELED 1', 'undefined undefined']).toContain(outcome)
    })

    it('ends whoever follows a task that is removed, with an error', async () => {
      const { clock, store } = await openWithClock(open)
      await liveFully(store, 't1')
      clock.advance(MONTH_MS)
      const last = (await store.record('t1'))?.seq ?? 0
      const { signal } = new AbortController()
      const waiting = store.follow('t1', last, signal)[Symbol.asyncIterator]()
      const next = waiting.next()
      while (getEventListeners(signal, 'abort').length === 0) await setImmediate()
      await Promise.all([expect(next).rejects.toBeInstanceOf(UnknownTaskError), store.removeTasks(AGENT, MONTH_MS)])
      await expect(store.follow('t1', 0, signal)[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(UnknownTaskError)
    })

    it('tells a run of a task that was removed that the task has ended', async () => {
      const { store } = await openWithClock(open)
      const fence = { turn: 1, attempt: 1 }
      const ended = { unhandled: [], last: 0, terminal: true }
      const run = { id: 'run', attempt: 1 }
      const outcomes = await store.transact(['t1'], async (tx) => [
        await tx.openTurn('t1', run),
        await tx.claimCommand('t1', run),
        await tx.settle('t1'),
        await tx.append('t1', fence, 1, [chunk('late')]),
        await tx.recordStep('t1', fence, 'late', 1),
        await tx.endTurn('t1', fence, { kind: 'complete' }),
        await tx.failTurn('t1', fence, 5, says('late')),
        await tx.replyToCommand('t1', 1, 1, says('late')),
        await tx.failCommand('t1', 1, 1, 5, says('late')),
        await tx.postponeWake('t1'),
      ])
      const terminal = { result: 'terminal', ...ended }
      expect(outcomes.map((outcome) => outcome ?? {})).toEqual([
        { kind: 'idle', ...ended },
        { kind: 'idle', ...ended },
        ended,
        terminal,
        terminal,
        terminal,
        { ...terminal, retry: false },
        terminal,
        { ...terminal, retry: false },
        {},
      ])
    })
  })

  describe('removeAudit', () => {
    it('removes the rows of the agent that are old enough', async () => {
      const { clock, store } = await openWithClock(open)
      const audit = (agent: string, count: number) =>
        store.transact([], async (tx) => {
          for (let row = 0; row < count; row++) {
            await tx.audit({ agent, principal: principal('ann'), operation: 'message', outcome: 'refused' })
          }
        })
      await audit(AGENT, 1003)
      await audit('sales', 1)
      clock.advance(1)
      await audit(AGENT, 1)
      clock.advance(MONTH_MS - 1)
      expect(await store.removeAudit(AGENT, MONTH_MS)).toEqual({ removed: 1000, more: true })
      expect(await store.removeAudit(AGENT, MONTH_MS)).toEqual({ removed: 3, more: false })
      expect(await store.removeAudit(AGENT, 0)).toEqual({ removed: 1, more: false })
      expect(await store.removeAudit('sales', MONTH_MS)).toEqual({ removed: 1, more: false })
    })
  })
}

async function openWithClock(open: OpenStore) {
  const clock = manualClock()
  return { clock, store: await open({ now: clock.now }) }
}

/** A task with rows in every table, which has ended. */
async function liveFully(store: TaskStore, id: string, agent = AGENT): Promise<void> {
  await createTask(store, id, { agent })
  const fence = await openTurn(store, id)
  await append(store, id, fence, 1)
  await store.transact([id], (tx) => tx.recordStep(id, fence, 'step', 1))
  await store.transact([id], (tx) => tx.accept(id, inboxRow(`${id}/2`)))
  await finish(store, id)
}

async function end(store: TaskStore, id: string): Promise<void> {
  await createTask(store, id)
  await finish(store, id)
}

async function finish(store: TaskStore, id: string): Promise<void> {
  await store.transact([id], async (tx) => {
    await tx.end(id, 'TASK_STATE_CANCELED')
    await tx.settle(id)
  })
}

async function idsOf(store: TaskStore): Promise<readonly string[]> {
  const query = { agent: AGENT, pageSize: 100, includeArtifacts: false }
  const { tasks, totalSize } = await store.list(query, principal('ann'))
  expect(totalSize).toBe(tasks.length)
  return tasks.map((task) => task.id).sort()
}
