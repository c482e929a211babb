import type { GetTaskRequestJson, TaskJson } from '@moorage/protocol'
import { auditRead } from './audit-read.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import { enter } from './enter.js'
import { withHistoryLength } from './history-length.js'
import { readTask } from './read-task.js'

/** GetTask (A2A §3.1.3). Answers from the store, with or without a worker. */
export async function getTask(context: OperationContext, request: GetTaskRequestJson, call: Call): Promise<TaskJson> {
  const audited = { operation: 'get task', taskId: request.id }
  const principal = await enter(context, call, request, audited)
  const { task } = await auditRead(context, principal, audited, () => readTask(context, principal, request.id, request.historyLength))
  return withHistoryLength(task, request.historyLength)
}
