import type { Principal, PushConfigRecord, TaskStore, TaskTransaction } from '@moorage/store'
import { decide } from './access.js'
import { auditOutcome } from './audit-outcome.js'
import { MAX_PUSH_CONFIGS, type Refusal, refuse } from './reception.js'

/** What became of a config that was to be registered or deleted. */
export type PushConfigChange = { readonly result: 'done' } | Refusal

const DONE: PushConfigChange = { result: 'done' }

/**
 * Registers a push notification config on a task, in whatever state it is (A2A §3.1.7); one with the same id is replaced.
 * @throws StoreUnavailableError when nothing could be recorded.
 */
export function putPushConfig(
  store: TaskStore,
  agent: string,
  principal: Principal,
  taskId: string,
  config: PushConfigRecord,
): Promise<PushConfigChange> {
  return change(store, { agent, principal, taskId, operation: 'create push config' }, async (tx) => {
    if (!(await hasRoomFor(tx, taskId, config))) return refuse('push-configs', taskId)
    await tx.putPushConfig(taskId, config)
    return DONE
  })
}

/**
 * Deletes a push notification config for good; one that is not there is deleted already (A2A §3.1.10).
 * @throws StoreUnavailableError when nothing could be recorded.
 */
export function deletePushConfig(
  store: TaskStore,
  agent: string,
  principal: Principal,
  taskId: string,
  id: string,
): Promise<PushConfigChange> {
  return change(store, { agent, principal, taskId, operation: 'delete push config' }, async (tx) => {
    await tx.deletePushConfig(taskId, id)
    return DONE
  })
}

interface Change {
  readonly agent: string
  readonly principal: Principal
  readonly taskId: string
  readonly operation: string
}

async function change(
  store: TaskStore,
  details: Change,
  run: (tx: TaskTransaction) => Promise<PushConfigChange>,
): Promise<PushConfigChange> {
  const { agent, principal, taskId } = details
  return store.transact([taskId], async (tx) => {
    const task = await tx.task(taskId)
    const access = task ? decide(principal, agent, 'push-config', task) : 'not-found'
    const changed = await (access === 'allow' ? run(tx) : refuse(access === 'role' ? 'role' : 'task-not-found', taskId))
    await tx.audit({ ...details, ...auditOutcome(changed) })
    return changed
  })
}

/** One that replaces another takes no room. */
export async function hasRoomFor(tx: TaskTransaction, taskId: string, { id }: PushConfigRecord): Promise<boolean> {
  const ids = await tx.pushConfigIds(taskId)
  return ids.length < MAX_PUSH_CONFIGS || ids.includes(id)
}
