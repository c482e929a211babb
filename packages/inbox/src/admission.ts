import { isTerminal, type MessageJson } from '@moorage/protocol'
import {
  type InboxKind,
  type NewInboxRow,
  type Principal,
  type PushConfigRecord,
  type StoredReceipt,
  StoreUnavailableError,
  type TaskRecord,
  type TaskTransaction,
} from '@moorage/store'
import { type Decision, decide } from './access.js'
import { hasRoomFor } from './push-configs.js'
import type { ReceiveOptions } from './receive-options.js'
import { type Reception, type Refusal, refuse, terminal } from './reception.js'
import { findUnknownReference } from './references.js'

/** What is to be recorded, where nothing speaks against it. */
export interface Arrival {
  readonly taskId: string
  /** The context of the task, should the message make it. */
  readonly contextId: string
  readonly row: NewInboxRow
  readonly pushConfig: PushConfigRecord | undefined
}

/**
 * What the store says about a message. `known`: a duplicate, or refused; `reveals`: the task that it made has to become its sender's, who takes no
 * Message for an answer any more. `admitted`: nothing speaks against it; it goes to `task`, or makes one.
 */
export type Admission =
  | { readonly kind: 'known'; readonly reception: Reception; readonly reveals?: boolean }
  | { readonly kind: 'admitted'; readonly task: TaskRecord | undefined }

const MAX_WAITING = 1000
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/**
 * Access, duplicate, role, context, terminal state, references, room: the first that applies decides (ARCHITECTURE.md, The life of a message). Writes
 * nothing.
 */
export async function admit(tx: TaskTransaction, options: ReceiveOptions, principal: Principal, arrival: Arrival): Promise<Admission> {
  const { taskId, row } = arrival
  const [task, first] = await Promise.all([tx.task(taskId), tx.receipt(row.key)])
  if (task?.direct !== undefined && first?.taskId === taskId && row.message.taskId === undefined) return repeat(options, first, row)
  const access = task ? decide(principal, options.agent, 'send', task) : undefined
  if (access === 'not-found' || (!task && row.message.taskId !== undefined)) return known(refuse('task-not-found', taskId))
  if (first) return known(duplicate(await kept(tx, task, first), row))
  const refusal = task && refusalBy(task, access, row.message)
  if (refusal) return known(refusal)
  const index = await findUnknownReference(tx, options.agent, principal, row.message)
  if (index !== undefined) return known({ result: 'refused', reason: 'reference', index, ...(task && { taskId }) })
  const full = task && (await whatIsFull(tx, options, arrival))
  return full ? known(refuse(full, taskId)) : { kind: 'admitted', task }
}

/** What the message runs: a command, or a turn. */
export function kindOf(row: NewInboxRow): InboxKind {
  return row.command ? 'command' : 'message'
}

function known(reception: Reception): Admission {
  return { kind: 'known', reception }
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
function repeat({ direct = false }: ReceiveOptions, first: StoredReceipt, row: NewInboxRow): Admission {
  const reception = duplicate(first, row)
  return { kind: 'known', reception, reveals: reception.result === 'accepted' && !direct }
}

/** Commands have room of their own: they are how one asks a task what it is so busy with. */
async function whatIsFull(
  tx: TaskTransaction,
  { maxWaiting = MAX_WAITING, maxWaitingBytes = MAX_WAITING_BYTES }: ReceiveOptions,
  { taskId, row, pushConfig }: Arrival,
): Promise<'full' | 'push-configs' | undefined> {
  const { count, bytes } = await tx.measureWaiting(taskId, kindOf(row))
  if (count >= maxWaiting || bytes >= maxWaitingBytes) return 'full'
  return pushConfig && !(await hasRoomFor(tx, taskId, pushConfig)) ? 'push-configs' : undefined
}
