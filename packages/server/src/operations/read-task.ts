import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import { decide } from '@moorage/inbox'
import type { Principal, TaskSnapshot } from '@moorage/store'
import type { OperationContext } from './context.js'

/** The answer for a task that is not there, and for one that the caller may not see: the same (A2A §3.3.2). */
export function taskNotFound(taskId: string): Error {
  return new TaskNotFoundError({ metadata: { taskId } })
}

/** The task as it is recorded now. @throws TaskNotFoundError unless the caller may read it. */
export async function readTask({ agent, store }: OperationContext, principal: Principal, taskId: string): Promise<TaskSnapshot> {
  const snapshot = await store.get(taskId)
  if (snapshot === undefined || decide(principal, agent.id, 'read', snapshot.record) !== 'allow') throw taskNotFound(taskId)
  return snapshot
}
