import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import { decide } from '@moorage/inbox'
import type { MessageJson } from '@moorage/protocol'
import type { Principal, Receipt, TaskRecord, TaskSnapshot } from '@moorage/store'
import type { OperationContext } from './context.js'

/** The answer for a task that is not there, and for one that the caller may not see: the same (A2A §3.3.2). */
export function taskNotFound(taskId: string): Error {
  return new TaskNotFoundError({ metadata: { taskId } })
}

/**
 * The task as it is recorded now, with this many messages of its history, or all. Its content is read for nobody but who may see it: a long task of
 * others takes no longer than one that is not there.
 * @throws TaskNotFoundError unless the caller may read it
 */
export async function readTask(
  context: OperationContext,
  principal: Principal,
  taskId: string,
  historyLength?: number,
): Promise<TaskSnapshot> {
  await readTaskRecord(context, principal, taskId)
  const snapshot = await context.store.get(taskId, historyLength)
  if (snapshot === undefined) throw taskNotFound(taskId)
  requireReader(context, principal, taskId, snapshot.record)
  return snapshot
}

/**
 * The same for whoever sent the message that the receipt is of: also of a task whose first message may be answered by a Message, and which so is
 * nobody's.
 */
export async function readSentTask(
  context: OperationContext,
  principal: Principal,
  { taskId }: Receipt,
  historyLength?: number,
): Promise<TaskSnapshot> {
  const snapshot = await context.store.get(taskId, historyLength)
  if (snapshot?.record.direct === undefined) requireReader(context, principal, taskId, snapshot?.record)
  if (snapshot === undefined) throw taskNotFound(taskId)
  return snapshot
}

/** The Message that answers instead of the Task; undefined where the Task does. It names no task, since nobody can find that one. */
export function directAnswer({ record, task }: TaskSnapshot): MessageJson | undefined {
  if (record.direct !== 'answered' || task.status.message === undefined) return undefined
  const { taskId: _, ...message } = task.status.message
  return message
}

/** The same without the task's content. */
export async function readTaskRecord(context: OperationContext, principal: Principal, taskId: string): Promise<TaskRecord> {
  const record = await context.store.record(taskId)
  requireReader(context, principal, taskId, record)
  return record
}

function requireReader(
  { agent }: OperationContext,
  principal: Principal,
  taskId: string,
  record: TaskRecord | undefined,
): asserts record is TaskRecord {
  if (record === undefined || decide(principal, agent.id, 'read', record) !== 'allow') throw taskNotFound(taskId)
}
