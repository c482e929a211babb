/**
 * The one transaction that accepts a message, the one that cancels, the one that authorises, and those that change push notification configs.
 * When it commits, the message is acknowledged; when it does not, nothing has happened.
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { JsonObject, MessageJson } from '@moorage/protocol'
import type {
  InboxKind,
  NewInboxRow,
  Participation,
  Principal,
  PushConfigRecord,
  Receipt,
  TaskStore,
  TaskTransaction,
} from '@moorage/store'
import { type Arrival, admit, kindOf } from './admission.js'
import { auditOutcome } from './audit-outcome.js'
import { auditRefusal } from './audit-refusal.js'
import { type MessageIdentity, messageDigest, messageKey, taskIdFor } from './message-key.js'
import { askPolicies, hasPolicyFor, type PolicyOptions, type PolicyOutcome } from './policies.js'
import type { ReceiveOptions } from './receive-options.js'
import { type Reception, type Refusal, refuse } from './reception.js'
import { recogniseCommand } from './recognise-command.js'

export { auditRefusal, type RefusedOperation } from './audit-refusal.js'
export { type AuthorizationReception, type AuthorizationRefusal, authorize } from './authorize.js'
export { type Cancellation, cancel } from './cancel.js'
export type { Policies, PolicyOptions } from './policies.js'
export { PolicyError } from './policy-error.js'
export { deletePushConfig, type PushConfigChange, putPushConfig } from './push-configs.js'
export type { ReceiveOptions } from './receive-options.js'
export type { Reception, Refusal } from './reception.js'

/**
 * Accepts a message or refuses it; the same message again gets its first receipt. The message is recorded as it is given: validated and
 * redacted before.
 * @param sealPushConfig makes the push notification config that comes with the message, for the task of this id: registered in the same
 *   transaction, and so before the first update, but not with a duplicate
 * @throws StoreUnavailableError when nothing could be recorded, PolicyError where a policy of the agent has failed.
 */
export async function receive(
  store: TaskStore,
  options: ReceiveOptions,
  principal: Principal,
  message: MessageJson,
  sealPushConfig?: (taskId: string) => Promise<PushConfigRecord>,
): Promise<Reception> {
  const digest = messageDigest(message)
  const { key, newTaskId } = keysOf(store.id, options, { agent: options.agent, principal, messageId: message.messageId, digest })
  const taskId = message.taskId ?? newTaskId
  const command = recogniseCommand(message, options.commands)
  const row: NewInboxRow = {
    key,
    digest,
    message,
    sender: principal,
    ...(command && { command }),
  }
  const arrival: Arrival = { taskId, contextId: message.contextId ?? randomUUID(), row, pushConfig: await sealPushConfig?.(taskId) }
  const { policies } = options
  if (!policies || !hasPolicyFor(policies.policies, message, command)) return record(store, options, principal, arrival)
  const outcome = await decidePolicies(store, options, principal, arrival, policies)
  if (outcome.result !== 'allowed') return refusedByPolicy(store, options, principal, message, outcome)
  return record(store, options, principal, { ...arrival, row: noted(row, outcome.annotations) })
}

/** Decides, and records what was decided. */
function record(store: TaskStore, options: ReceiveOptions, principal: Principal, arrival: Arrival): Promise<Reception> {
  const { taskId, row, pushConfig } = arrival
  return store.transact([taskId], async (tx) => {
    const reception = await write(tx, options, principal, arrival)
    if (pushConfig && isNew(reception)) await tx.putPushConfig(taskId, pushConfig)
    await tx.audit({
      ...auditOutcome(reception),
      agent: options.agent,
      principal,
      operation: 'message',
      ...knownTask(reception, row.message),
    })
    return reception
  })
}

async function write(tx: TaskTransaction, options: ReceiveOptions, principal: Principal, arrival: Arrival): Promise<Reception> {
  const { taskId, row } = arrival
  const admission = await admit(tx, options, principal, arrival)
  if (admission.kind === 'known') {
    if (admission.reveals) await tx.reveal(taskId)
    return admission.reception
  }
  const receipt = await (admission.task ? tx.accept(taskId, row) : tx.create(newTask(options, principal, arrival), row))
  return accept(kindOf(row), receipt)
}

/** Asks the policies where nothing else speaks against the message: what is refused otherwise, and duplicates, the transaction finds by itself. */
async function decidePolicies(
  store: TaskStore,
  options: ReceiveOptions,
  principal: Principal,
  arrival: Arrival,
  policies: PolicyOptions,
): Promise<PolicyOutcome> {
  const { taskId, contextId, row } = arrival
  const { message, command } = row
  const admission = await store.transact([taskId], (tx) => admit(tx, options, principal, arrival))
  if (admission.kind === 'known') return { result: 'allowed', annotations: {} }
  try {
    return await askPolicies(policies, { principal, message, command, task: admission.task, contextId })
  } catch (error) {
    await auditMessage(store, options, principal, message, 'policy-error')
    throw error
  }
}

async function refusedByPolicy(
  store: TaskStore,
  options: ReceiveOptions,
  principal: Principal,
  message: MessageJson,
  outcome: Exclude<PolicyOutcome, { readonly result: 'allowed' }>,
): Promise<Refusal> {
  const { taskId } = message
  const refusal: Refusal =
    outcome.result === 'aborted'
      ? refuse('aborted', taskId)
      : { result: 'refused', reason: 'policy', publicReason: outcome.reason, ...(taskId !== undefined && { taskId }) }
  const reason = refusal.reason === 'policy' ? `policy: ${refusal.publicReason}` : refusal.reason
  await auditMessage(store, options, principal, message, reason)
  return refusal
}

function auditMessage(
  store: TaskStore,
  { agent }: ReceiveOptions,
  principal: Principal,
  { taskId }: MessageJson,
  reason: string,
): Promise<void> {
  return auditRefusal(store, { agent, principal, operation: 'message', taskId, reason })
}

function noted(row: NewInboxRow, annotations: JsonObject): NewInboxRow {
  return Object.keys(annotations).length === 0 ? row : { ...row, annotations }
}

/** Under which key the message's receipt is kept, and which task it makes. */
function keysOf(storeId: string, { idempotency = 'on' }: ReceiveOptions, identity: MessageIdentity) {
  if (idempotency === 'off') return { key: randomUUID(), newTaskId: randomUUID() }
  return { key: messageKey(identity), newTaskId: taskIdFor(storeId, identity) }
}

function newTask(options: ReceiveOptions, { tenant, participant }: Principal, { taskId: id, contextId, row }: Arrival) {
  const participants: readonly Participation[] = [
    { participant: options.agent, role: 'assignee' },
    { participant, role: 'reporter' },
    { participant, role: 'admin' },
  ]
  const direct = options.direct === true && row.command === undefined
  return { id, agent: options.agent, tenant, contextId, participants, direct }
}

function isNew(reception: Reception): boolean {
  return reception.result === 'accepted' && !reception.receipt.duplicate
}

function accept(kind: InboxKind, receipt: Receipt): Reception {
  return { result: 'accepted', kind, handled: false, receipt }
}

/** The task that the audit row names: the one that the message reached, else the one that it asked for. */
function knownTask(reception: Reception, message: MessageJson): { readonly taskId?: string } {
  const taskId = reception.result === 'accepted' ? reception.receipt.taskId : message.taskId
  return taskId === undefined ? {} : { taskId }
}
