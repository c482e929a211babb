import { cancel } from '@moorage/inbox/receive'
import type { CancelTaskRequestJson, TaskJson } from '@moorage/protocol'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import { enter } from './enter.js'
import { readTask } from './read-task.js'
import { cancelRefused } from './refusals.js'

/** CancelTask (A2A §3.1.5). When it answers, the task is CANCELED for good; the wake only stops what still runs. */
export async function cancelTask(context: OperationContext, request: CancelTaskRequestJson, call: Call): Promise<TaskJson> {
  const { agent, store, waker } = context
  const principal = await enter(context, call, request, { operation: 'cancel', taskId: request.id })
  const cancellation = await cancel(store, agent.id, principal, request.id)
  if (cancellation.result === 'refused') throw cancelRefused(cancellation)
  waker.wake(agent.id, request.id, [])
  return (await readTask(context, principal, request.id)).task
}
