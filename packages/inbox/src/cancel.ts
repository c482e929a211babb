import { isTerminal } from '@moorage/protocol'
import type { Principal, TaskStore, TaskTransaction } from '@moorage/store'
import { decide } from './access.js'
import { auditOutcome } from './audit-outcome.js'
import { type Refusal, refuse, terminal } from './reception.js'

export type Cancellation = { readonly result: 'canceled' } | Refusal

/**
 * Cancels a task: when this returns, the task is CANCELED and nothing that is still running can write to it.
 * @throws StoreUnavailableError when nothing could be recorded.
 */
export async function cancel(store: TaskStore, agent: string, principal: Principal, taskId: string): Promise<Cancellation> {
  return store.transact([taskId], async (tx) => {
    const cancellation = await decideCancellation(tx, agent, principal, taskId)
    await tx.audit({ ...auditOutcome(cancellation), agent, principal, operation: 'cancel', taskId })
    return cancellation
  })
}

async function decideCancellation(tx: TaskTransaction, agent: string, principal: Principal, taskId: string): Promise<Cancellation> {
  const task = await tx.task(taskId)
  const access = task ? decide(principal, agent, 'cancel', task) : 'not-found'
  if (!task || access === 'not-found') return refuse('task-not-found', taskId)
  if (access === 'role') return refuse('role', taskId)
  if (isTerminal(task.state)) return terminal(task)
  await tx.end(taskId, 'TASK_STATE_CANCELED')
  return { result: 'canceled' }
}
