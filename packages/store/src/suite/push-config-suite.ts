import { describe, expect, it } from 'vitest'
import type { PushConfigRecord } from '../push-config.js'
import type { TaskStore } from '../task-store.js'
import { AGENT, createTask, type OpenStore } from './fixtures.js'

const hook = (id: string, more: Partial<PushConfigRecord> = {}): PushConfigRecord => ({
  id,
  url: `https://example.com/${id}`,
  wireVersion: '1.0',
  ...more,
})

export function describePushConfigs(open: OpenStore): void {
  const put = (store: TaskStore, taskId: string, ...configs: readonly PushConfigRecord[]) =>
    store.transact([taskId], async (tx) => {
      for (const config of configs) await tx.putPushConfig(taskId, config)
    })
  const idsOf = async (store: TaskStore, taskId: string) =>
    (await store.pushConfigs(taskId, { pageSize: 100 }))?.configs.map(({ id }) => id)

  describe('push notification configs', () => {
    it('come back as they were put, with their task', async () => {
      const store = await open()
      await createTask(store, 't1')
      const full = hook('a', { scheme: 'Bearer', sealed: 'k:1:2', wireVersion: '0.3' })
      await put(store, 't1', full, hook('b'))
      const record = await store.record('t1')
      expect(await store.pushConfig('t1', 'a')).toEqual({ record, config: full })
      expect(await store.pushConfigs('t1', { pageSize: 100 })).toEqual({ record, configs: [full, hook('b')] })
      expect(await store.pushConfig('t1', 'none')).toEqual({ record, config: undefined })
      expect([await store.pushConfig('t2', 'a'), await store.pushConfigs('t2', { pageSize: 1 })]).toEqual([undefined, undefined])
    })

    it('are replaced by their id, in their place, and by nobody else', async () => {
      const store = await open()
      await createTask(store, 't1')
      await createTask(store, 't2')
      await put(store, 't1', hook('a', { scheme: 'Bearer', sealed: 'k:1:2' }), hook('b'))
      await put(store, 't2', hook('a'))
      await put(store, 't1', hook('a', { url: 'https://example.com/new', wireVersion: '0.3' }))
      expect((await store.pushConfigs('t1', { pageSize: 100 }))?.configs).toEqual([
        { id: 'a', url: 'https://example.com/new', wireVersion: '0.3' },
        hook('b'),
      ])
      expect((await store.pushConfig('t2', 'a'))?.config).toEqual(hook('a'))
    })

    it('are put with the task that they belong to, in one transaction', async () => {
      const store = await open()
      const failing = store.transact(['t1'], async (tx) => {
        await tx.putPushConfig('t1', hook('a'))
        expect(await tx.pushConfigIds('t1')).toEqual(['a'])
        throw new Error('decided against it')
      })
      await expect(failing).rejects.toThrow('decided against it')
      await createTask(store, 't1')
      expect(await idsOf(store, 't1')).toEqual([])
    })

    it('are deleted once and for all', async () => {
      const store = await open()
      await createTask(store, 't1')
      await createTask(store, 't2')
      await put(store, 't1', hook('a'), hook('b'))
      await put(store, 't2', hook('a'))
      for (const id of ['a', 'a', 'never']) await store.transact(['t1'], (tx) => tx.deletePushConfig('t1', id))
      expect([await idsOf(store, 't1'), await idsOf(store, 't2')]).toEqual([['b'], ['a']])
    })

    it('go with their task', async () => {
      const store = await open()
      await createTask(store, 't1')
      await put(store, 't1', hook('a'))
      await store.transact(['t1'], (tx) => tx.end('t1', 'TASK_STATE_CANCELED'))
      expect(await idsOf(store, 't1')).toEqual(['a'])
      await store.transact(['t1'], (tx) => tx.settle('t1'))
      expect(await store.removeTasks(AGENT, 0)).toMatchObject({ removed: 1 })
      expect(await store.pushConfig('t1', 'a')).toBeUndefined()
      await createTask(store, 't1')
      expect(await idsOf(store, 't1')).toEqual([])
    })

    it('are in one page each, also when others are deleted or put meanwhile', async () => {
      const store = await open()
      await createTask(store, 't1')
      await put(store, 't1', ...['a', 'b', 'c', 'd'].map((id) => hook(id)))
      const first = await store.pushConfigs('t1', { pageSize: 2 })
      expect(first?.configs.map(({ id }) => id)).toEqual(['a', 'b'])
      await store.transact(['t1'], async (tx) => {
        await tx.deletePushConfig('t1', 'b')
        await tx.putPushConfig('t1', hook('a'))
        await tx.putPushConfig('t1', hook('e'))
      })
      const second = await store.pushConfigs('t1', { pageSize: 3, ...(first?.next !== undefined && { after: first.next }) })
      expect([second?.configs.map(({ id }) => id), second?.next]).toEqual([['c', 'd', 'e'], undefined])
    })
  })
}
