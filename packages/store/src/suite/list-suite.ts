import type { TaskJson } from '@moorage/protocol'
import { describe, expect, it } from 'vitest'
import type { ListQuery, TaskPage, TaskStore } from '../task-store.js'
import { AGENT, accept, append, createTask, manualClock, message, type OpenStore, openTurn, principal } from './fixtures.js'

const ANN = principal('ann')
const QUERY: ListQuery = { agent: AGENT, pageSize: 50, includeArtifacts: false }

export function describeList(open: OpenStore): void {
  describe('list', () => {
    it('shows the newest status first, and tasks of the same moment by id', async () => {
      const clock = manualClock()
      const store = await open({ now: clock.now })
      for (const id of ['b', 'a', 'c']) await createTask(store, id)
      clock.advance(1)
      await createTask(store, '0')
      expect(ids(await store.list(QUERY, ANN))).toEqual(['0', 'c', 'b', 'a'])
    })

    it.each([{}, { contextId: 'ctx' }])('pages through tasks of one moment without a gap or a double (%o)', async (filter) => {
      const store = await open({ now: () => 1000 })
      const created = Array.from({ length: 23 }, (_, index) => `t${String(index).padStart(2, '0')}`)
      await Promise.all(created.map((id) => createTask(store, id)))
      const pages = await readPages(store, { ...QUERY, ...filter, pageSize: 5 })
      expect(pages.map((page) => page.tasks.length)).toEqual([5, 5, 5, 5, 3])
      expect(pages.every((page) => page.totalSize === 23)).toBe(true)
      expect(pages.flatMap(ids)).toEqual(created.reverse())
    })

    it('pages alike through very many tasks', async () => {
      const store = await open({ now: () => 1000 })
      const created = Array.from({ length: 1050 }, (_, index) => `t${String(index).padStart(4, '0')}`)
      await Promise.all(created.map((id) => createTask(store, id)))
      await createTask(store, 'bobs', { participant: 'bob' })
      const pages = await readPages(store, { ...QUERY, pageSize: 100 })
      expect(pages.flatMap(ids)).toEqual(created.reverse())
      expect(pages.every((page) => page.totalSize === 1050)).toBe(true)
    })

    it('has no next page when the last task is on this one', async () => {
      const store = await open()
      for (const id of ['a', 'b', 'c', 'd']) await createTask(store, id)
      const pages = await readPages(store, { ...QUERY, pageSize: 2 })
      expect(pages).toHaveLength(2)
      expect(pages[1]).not.toHaveProperty('next')
      expect(await store.list({ ...QUERY, agent: 'nobody' }, ANN)).toEqual({ tasks: [], totalSize: 0 })
    })

    it('shows each task once that does not change between the pages', async () => {
      const clock = manualClock()
      const store = await open({ now: clock.now })
      const created = Array.from({ length: 12 }, (_, index) => `t${String(index).padStart(2, '0')}`)
      for (const id of created) {
        await createTask(store, id)
        clock.advance(1)
      }
      const changing = ['t01', 't06', 't10']
      const pages = await readPages(store, { ...QUERY, pageSize: 3 }, async (page) => {
        const id = changing[page]
        if (id) await openTurn(store, id)
        clock.advance(1)
      })
      const unchanged = created.filter((id) => !changing.includes(id)).reverse()
      expect(pages.flatMap(ids).filter((id) => !changing.includes(id))).toEqual(unchanged)
    })

    it('shows and counts only tasks of the tenant and agent that the viewer takes part in', async () => {
      const store = await open()
      await createTask(store, 'mine')
      await createTask(store, 'bobs', { participant: 'bob' })
      await createTask(store, 'other-tenant', { tenant: 'acme' })
      await createTask(store, 'other-agent', { agent: 'sales' })
      expect(await store.list(QUERY, ANN)).toMatchObject({ tasks: [{ id: 'mine' }], totalSize: 1 })
      expect(ids(await store.list(QUERY, principal('ann', 'acme')))).toEqual(['other-tenant'])
      expect(ids(await store.list({ ...QUERY, agent: 'sales' }, ANN))).toEqual(['other-agent'])
      expect(await store.list(QUERY, principal('eve'))).toEqual({ tasks: [], totalSize: 0 })
    })

    it('filters by context, state and time of the status, in the total too', async () => {
      const clock = manualClock(1000)
      const store = await open({ now: clock.now })
      await createTask(store, 'old', { contextId: 'one' })
      clock.advance(1000)
      await createTask(store, 'new', { contextId: 'two' })
      await store.transact(['old'], (tx) => tx.end('old', 'TASK_STATE_CANCELED'))
      clock.advance(1000)
      await createTask(store, 'newest', { contextId: 'two' })
      expect(ids(await store.list({ ...QUERY, contextId: 'one' }, ANN))).toEqual(['old'])
      expect(await store.list({ ...QUERY, contextId: 'two', pageSize: 1 }, ANN)).toMatchObject({ totalSize: 2 })
      expect(ids(await store.list({ ...QUERY, state: 'TASK_STATE_CANCELED' }, ANN))).toEqual(['old'])
      expect(ids(await store.list({ ...QUERY, statusSince: 2000 }, ANN))).toEqual(['newest', 'old', 'new'])
      expect(ids(await store.list({ ...QUERY, statusSince: 2001 }, ANN))).toEqual(['newest'])
    })

    it('cuts each history to its last messages', async () => {
      const store = await open()
      await createTask(store, 'a')
      for (const id of ['m2', 'm3']) await accept(store, 'a', id)
      await createTask(store, 'b')
      const histories = async (historyLength?: number) =>
        (await store.list({ ...QUERY, ...(historyLength !== undefined && { historyLength }) }, ANN)).tasks
          .toSorted((left, right) => left.id.localeCompare(right.id))
          .map((task) => task.history?.map((entry) => entry.messageId))
      expect(await histories()).toEqual([['a/1', 'm2', 'm3'], ['b/1']])
      expect(await histories(2)).toEqual([['m2', 'm3'], ['b/1']])
      expect(await histories(9)).toEqual([['a/1', 'm2', 'm3'], ['b/1']])
      expect((await store.list({ ...QUERY, historyLength: 0 }, ANN)).tasks.some((task) => 'history' in task)).toBe(false)
    })

    it('leaves artifacts out unless asked for, and then shows empty lists too', async () => {
      const store = await open()
      await createTask(store, 'a')
      await createTask(store, 'b')
      await append(store, 'a', await openTurn(store, 'a'), 1)
      expect((await store.list(QUERY, ANN)).tasks.some((task) => 'artifacts' in task)).toBe(false)
      const artifacts = Object.fromEntries(
        (await store.list({ ...QUERY, includeArtifacts: true }, ANN)).tasks.map((task) => [task.id, task.artifacts]),
      )
      expect(artifacts).toEqual({ a: [{ artifactId: 'answer', parts: [{ text: 'part 1' }] }], b: [] })
    })

    it('shows the message of the status', async () => {
      const store = await open()
      await createTask(store, 'a')
      await store.transact(['a'], (tx) => tx.end('a', 'TASK_STATE_FAILED', message('sorry')))
      const { tasks } = await store.list(QUERY, ANN)
      expect(tasks[0]?.status).toMatchObject({ state: 'TASK_STATE_FAILED', message: { messageId: 'sorry' } })
    })
  })
}

function ids(page: TaskPage): readonly string[] {
  return page.tasks.map((task: TaskJson) => task.id)
}

async function readPages(store: TaskStore, query: ListQuery, between: (page: number) => Promise<void> = async () => {}) {
  const pages: TaskPage[] = [await store.list(query, ANN)]
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) {
    await between(pages.length - 1)
    pages.push(await store.list({ ...query, after: next }, ANN))
  }
  return pages
}
