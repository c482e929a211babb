import { describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../store-error.js'
import { UnknownTaskError } from '../unknown-task-error.js'
import { AGENT, createTask, inboxRow, type OpenStore, openTurn, principal } from './fixtures.js'

export function describeTransact(open: OpenStore): void {
  describe('transact', () => {
    it('returns what the decision returns', async () => {
      const store = await open()
      expect(await createTask(store, 't1')).toEqual({
        taskId: 't1',
        position: 1,
        cursor: 1,
        duplicate: false,
        state: 'TASK_STATE_SUBMITTED',
      })
    })

    it('takes back what a decision wrote that throws, and gives its error to the caller', async () => {
      const store = await open()
      const fault = new Error('decided against it')
      const failing = store.transact(['t1'], async (tx) => {
        const participants = [{ participant: 'ann', role: 'reporter' }] as const
        await tx.create({ id: 't1', agent: AGENT, tenant: '', contextId: 'ctx', participants }, inboxRow('m1'))
        throw fault
      })
      await expect(failing).rejects.toBe(fault)
      expect(await store.get('t1')).toBeUndefined()
      expect(await store.transact(['t1'], (tx) => tx.receipt('m1'))).toBeUndefined()
    })

    it('says which task is unknown, or gone, to what needs one', async () => {
      const store = await open()
      const revealed = store.transact(['t1'], (tx) => tx.reveal('t1'))
      await expect(revealed).rejects.toThrow(UnknownTaskError)
      await expect(revealed).rejects.toMatchObject({ taskId: 't1' })
    })

    it('leaves the others alone when one of many at once throws', async () => {
      const store = await open()
      const ids = Array.from({ length: 20 }, (_, index) => `t${index}`)
      const outcomes = await Promise.allSettled(
        ids.map((id, index) =>
          index % 5 === 0
            ? store.transact([id], async (tx) => {
                await tx.audit({ agent: AGENT, principal: principal('ann'), operation: 'send', outcome: 'refused' })
                throw new TypeError(id)
              })
            : createTask(store, id),
        ),
      )
      expect(outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => outcome.reason.message)).toEqual([
        't0',
        't5',
        't10',
        't15',
      ])
      const { totalSize } = await store.list({ agent: AGENT, pageSize: 1, includeArtifacts: false }, principal('ann'))
      expect(totalSize).toBe(16)
    })

    it('numbers the messages of one task densely, however many come at once', async () => {
      const store = await open()
      await createTask(store, 't1')
      const receipts = await Promise.all(
        Array.from({ length: 100 }, (_, index) => store.transact(['t1'], (tx) => tx.accept('t1', inboxRow(`m${index}`)))),
      )
      expect(receipts.map((receipt) => receipt.position).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 2))
      expect(await store.record('t1')).toMatchObject({ position: 101, seq: 101 })
    })

    it('sees in one transaction what the one before it wrote', async () => {
      const store = await open()
      const [, record] = await Promise.all([createTask(store, 't1'), store.transact(['t1'], (tx) => tx.task('t1'))])
      expect(record).toMatchObject({ id: 't1', seq: 1 })
    })
  })

  describe('close', () => {
    it('writes what was queued, and refuses what comes later', async () => {
      const store = await open()
      const queued = createTask(store, 't1')
      const closed = store.close()
      await expect(queued).resolves.toMatchObject({ position: 1 })
      await closed
      await store.close()
      const calls = [
        () => createTask(store, 't2'),
        () => store.get('t1'),
        () => store.record('t1'),
        () => store.pushConfig('t1', 'c'),
        () => store.pushConfigs('t1', { pageSize: 1 }),
        () => store.read('t1', 0, 1),
        () => store.list({ agent: AGENT, pageSize: 1, includeArtifacts: false }, principal('ann')),
        () => store.claimDue([AGENT], 1),
        () => store.check(),
        () => openTurn(store, 't1'),
      ]
      for (const call of calls) await expect(call()).rejects.toBeInstanceOf(StoreUnavailableError)
    })
  })
}
