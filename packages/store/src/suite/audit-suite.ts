import { expect, it } from 'vitest'
import type { AuditReader } from '../audit/audit-reader.js'
import type { TaskStore } from '../task-store.js'
import { AGENT, createTask, PATIENCE, principal } from './fixtures.js'

/** A new store, and how its audit, or that of an empty database, is opened by another process. */
export interface AuditCase {
  openStore(): Promise<TaskStore>
  openAudit(): Promise<AuditReader>
}

export function describeAudit(prepare: () => Promise<AuditCase>): void {
  it('reads the audit of a task beside its writer, page by page, also when the task has gone', PATIENCE, async () => {
    const { openStore, openAudit } = await prepare()
    const store = await openStore()
    await createTask(store, 't1')
    const ann = principal('ann', 'acme')
    const row = { agent: AGENT, principal: ann, operation: 'message' } as const
    await store.transact([], (tx) => tx.audit({ ...row, outcome: 'refused', reason: 'task-not-found', taskId: 'other' }))
    const reader = await openAudit()
    await store.transact(['t1'], async (tx) => {
      await tx.audit({ ...row, outcome: 'accepted', taskId: 't1', position: 1 })
      await tx.audit({ ...row, outcome: 'refused', taskId: 't1', operation: 'get task', reason: 'role' })
      await tx.end('t1', 'TASK_STATE_CANCELED')
    })
    await store.transact(['t1'], (tx) => tx.settle('t1'))
    await store.removeTasks(AGENT, 0)
    const sender = { tenant: 'acme', subject: 'ann', participant: 'ann' }
    const [first, ...none] = await reader.read('t1', 0, 1)
    expect(none).toEqual([])
    expect(first).toMatchObject({ agent: AGENT, sender, operation: 'message', outcome: 'accepted', position: 1 })
    const rest = await reader.read('t1', first?.id ?? 0, 10)
    expect(rest).toMatchObject([
      { sender, operation: 'get task', outcome: 'refused', reason: 'role' },
      { operation: 'message', outcome: 'not run', position: 1, reason: 'TASK_STATE_CANCELED' },
    ])
    expect(await reader.read('t1', rest[1]?.id ?? 0, 10)).toEqual([])
  })

  it('makes no tables where there are none', PATIENCE, async () => {
    const { openAudit } = await prepare()
    for (let again = 0; again < 2; again += 1) await expect(openAudit()).rejects.toThrow('Moorage has made no tables in it')
  })
}
