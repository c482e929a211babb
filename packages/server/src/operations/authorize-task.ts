import { authorize } from '@moorage/inbox/receive'
import type { AuthorizeTaskRequestJson, TaskJson } from '@moorage/protocol'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import { enter } from './enter.js'
import { readTask } from './read-task.js'
import { authorizationRefused } from './refusals.js'

/** Lets a task go on that is AUTH_REQUIRED (A2A §7.6.1). When it answers, the authorisation is recorded, and any worker goes on. */
export async function authorizeTask(context: OperationContext, request: AuthorizeTaskRequestJson, call: Call): Promise<TaskJson> {
  const { agent, store, waker } = context
  const principal = await enter(context, call, request, { operation: 'authorize', taskId: request.id })
  const reception = await authorize(store, agent.id, principal, request.id, request.scheme)
  if (reception.result === 'refused') throw authorizationRefused(reception)
  const { receipt, kind, handled } = reception
  if (!handled) waker.wake(agent.id, request.id, [{ position: receipt.position, kind }])
  return (await readTask(context, principal, request.id)).task
}
