/**
 * The one transaction that accepts a message, the one that cancels, the one that authorises, and those that change push notification configs. When it commits, the
 * message is acknowledged; when it does not, nothing has happened.
 * @module
 */
import { randomUUID } from 'node:crypto'
import { isTerminal, type MessageJson } from '@moorage/protocol'
import {
  type AuditRow,
  type InboxKind,
  type NewInboxRow,
  type Participation,
  type Principal,
  type PushConfigRecord,
  type Receipt,
  type StoredReceipt,
  StoreUnavailableError,
  type TaskRecord,
  type TaskStore,
  type TaskTransaction,
} from '@moorage/store'
import { type Decision, decide } from './access.js'
import { type MessageIdentity, messageDigest, messageKey, taskIdFor } from './message-key.js'
import { hasRoomFor } from './push-configs.js'
import { type Reception, type Refusal, refuse } from './reception.js'
import { recogniseCommand } from './recognise-command.js'
import { findUnknownReference } from './references.js'

export { auditRefusal, type RefusedOperation } from './audit-refusal.js'
export { type AuthorizationReception, type AuthorizationRefusal, authorize } from './authorize.js'
export { deletePushConfig, type PushConfigChange, putPushConfig } from './push-configs.js'
export type { Reception, Refusal } from './reception.js'

/** What of the agent decides about a message. */
export interface ReceiveOptions {
  /** The id of the agent that is addressed. */
  readonly agent: string
  /** The names of the agent's commands. */
  readonly commands: ReadonlySet<string>
  /** How many messages may wait on one task, and how many commands, beside what a turn has taken. @default 1000 */
  readonly maxWaiting?: number
  /** How many bytes they may have together, as JSON; the one that goes beyond is still accepted. @default 67108864 (64 MiB) */
  readonly maxWaitingBytes?: number
  /** `'off'`: the same message id again is another message, and a new task's id is random. @default 'on' */
  readonly idempotency?: 'on' | 'off'
  /**
   * Whether the sender waits for the end of its message and takes a Message for an answer: then the task that a first message makes is `direct`
   * (see NewTask in `@moorage/store`). The same message sent again without it gets the Task. @default false
   */
  readonly direct?: boolean
}

const MAX_WAITING = 1000
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/**
 * Accepts a message or refuses it; the same message again gets its first receipt. The message is recorded as it is given: validated and
 * redacted before.
 * @param sealPushConfig makes the push notification config that comes with the message, for the task of this id: registered in the same
 *   transaction, and so before the first update, but not with a duplicate
 * @throws StoreUnavailableError when nothing could be recorded.
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
  const pushConfig = await sealPushConfig?.(taskId)
  return store.transact([taskId], async (tx) => {
    const reception = await decideReception(tx, options, principal, { taskId, row, pushConfig })
    if (pushConfig && isNew(reception)) await tx.putPushConfig(taskId, pushConfig)
    await tx.audit({ ...auditOf(reception), agent: options.agent, principal, operation: 'message', ...knownTask(reception, message) })
    return reception
  })
}

/** Under which key the message's receipt is kept, and which task it makes. */
function keysOf(storeId: string, { idempotency = 'on' }: ReceiveOptions, identity: MessageIdentity) {
  if (idempotency === 'off') return { key: randomUUID(), newTaskId: randomUUID() }
  return { key: messageKey(identity), newTaskId: taskIdFor(storeId, identity) }
}

/** What is to be recorded, where nothing speaks against it. */
interface Arrival {
  readonly taskId: string
  readonly row: NewInboxRow
  readonly pushConfig: PushConfigRecord | undefined
}

/** Access, duplicate, role, context, terminal state, references, room: the first that applies decides (ARCHITECTURE.md, The life of a message). */
async function decideReception(tx: TaskTransaction, options: ReceiveOptions, principal: Principal, arrival: Arrival): Promise<Reception> {
  const { taskId, row } = arrival
  const [task, first] = await Promise.all([tx.task(taskId), tx.receipt(row.key)])
  if (task?.direct !== undefined && first?.taskId === taskId && row.message.taskId === undefined)
    return repeat(tx, options, task, first, row)
  const access = task ? decide(principal, options.agent, 'send', task) : undefined
  if (access === 'not-found' || (!task && row.message.taskId !== undefined)) return refuse('task-not-found', taskId)
  if (first) return duplicate(await kept(tx, task, first), row)
  const refusal = task && refusalBy(task, access, row.message)
  if (refusal) return refusal
  const index = await findUnknownReference(tx, options.agent, principal, row.message)
  if (index !== undefined) return { result: 'refused', reason: 'reference', index, ...(task && { taskId }) }
  const kind = row.command ? 'command' : 'message'
  if (!task) return accept(kind, await tx.create(newTask(options, principal, taskId, row), row))
  const full = await whatIsFull(tx, options, kind, arrival)
  if (full) return refuse(full, taskId)
  return accept(kind, await tx.accept(taskId, row))
}

/** What speaks against a message that its sender's task has never had: role, context, terminal state. */
function refusalBy(task: TaskRecord, access: Decision | undefined, { contextId }: MessageJson): Refusal | undefined {
  if (access === 'role') return refuse('role', task.id)
  if (contextId !== undefined && contextId !== task.contextId) return refuse('context', task.id)
  return isTerminal(task.state) ? terminal(task) : undefined
}

function duplicate({ digest, kind, handled, ...receipt }: StoredReceipt, row: NewInboxRow): Reception {
  return digest === row.digest ? { result: 'accepted', kind, handled, receipt } : refuse('content')
}

/** A long task that has been removed leaves its first message for a moment, which must not lead anybody to it. */
async function kept(tx: TaskTransaction, task: TaskRecord | undefined, first: StoredReceipt): Promise<StoredReceipt> {
  if (task ?? (await tx.task(first.taskId))) return first
  throw new StoreUnavailableError(`Task ${first.taskId} is being removed: send the message again`)
}

/** The first message of a direct task, which is not even its sender's, once more. */
async function repeat(
  tx: TaskTransaction,
  { direct = false }: ReceiveOptions,
  task: TaskRecord,
  first: StoredReceipt,
  row: NewInboxRow,
): Promise<Reception> {
  const reception = duplicate(first, row)
  if (reception.result === 'accepted' && !direct) await tx.reveal(task.id)
  return reception
}

/** Commands have room of their own: they are how one asks a task what it is so busy with. */
async function whatIsFull(
  tx: TaskTransaction,
  { maxWaiting = MAX_WAITING, maxWaitingBytes = MAX_WAITING_BYTES }: ReceiveOptions,
  kind: InboxKind,
  { taskId, pushConfig }: Arrival,
): Promise<'full' | 'push-configs' | undefined> {
  const { count, bytes } = await tx.measureWaiting(taskId, kind)
  if (count >= maxWaiting || bytes >= maxWaitingBytes) return 'full'
  return pushConfig && !(await hasRoomFor(tx, taskId, pushConfig)) ? 'push-configs' : undefined
}

export type Cancellation = { readonly result: 'canceled' } | Refusal

/**
 * Cancels a task: when this returns, the task is CANCELED and nothing that is still running can write to it.
 * @throws StoreUnavailableError when nothing could be recorded.
 */
export async function cancel(store: TaskStore, agent: string, principal: Principal, taskId: string): Promise<Cancellation> {
  return store.transact([taskId], async (tx) => {
    const cancellation = await decideCancellation(tx, agent, principal, taskId)
    await tx.audit({ ...auditOf(cancellation), agent, principal, operation: 'cancel', taskId })
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

function newTask(options: ReceiveOptions, { tenant, participant }: Principal, id: string, row: NewInboxRow) {
  const participants: readonly Participation[] = [
    { participant: options.agent, role: 'assignee' },
    { participant, role: 'reporter' },
    { participant, role: 'admin' },
  ]
  const direct = options.direct === true && row.command === undefined
  return { id, agent: options.agent, tenant, contextId: row.message.contextId ?? randomUUID(), participants, direct }
}

function isNew(reception: Reception): boolean {
  return reception.result === 'accepted' && !reception.receipt.duplicate
}

function accept(kind: InboxKind, receipt: Receipt): Reception {
  return { result: 'accepted', kind, handled: false, receipt }
}

function terminal({ id, state }: TaskRecord): Refusal {
  return { result: 'refused', reason: 'terminal', taskId: id, state }
}

function auditOf(decided: Reception | Cancellation): Pick<AuditRow, 'outcome' | 'position' | 'reason'> {
  if (decided.result === 'refused') return { outcome: 'refused', reason: decided.reason }
  if (decided.result === 'canceled') return { outcome: 'accepted' }
  return { outcome: decided.receipt.duplicate ? 'duplicate' : 'accepted', position: decided.receipt.position }
}

/** The task that the audit row names: the one that the message reached, else the one that it asked for. */
function knownTask(reception: Reception, message: MessageJson): { readonly taskId?: string } {
  const taskId = reception.result === 'accepted' ? reception.receipt.taskId : message.taskId
  return taskId === undefined ? {} : { taskId }
}
