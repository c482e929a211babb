/** The Workflow Type of a task. Pinned: open runs and recorded histories name it. */
export const TASK_WORKFLOW = 'taskWorkflow'

/** The Workflow Type that removes what has expired. Pinned. */
export const RETENTION_WORKFLOW = 'retentionWorkflow'

/** The Workflow Type that records how an agent is. Pinned. */
export const HEARTBEAT_WORKFLOW = 'heartbeatWorkflow'

/** The Update, and the Signal, that wakes a task's workflow. Pinned. */
export const DELIVER = 'deliver'

/** The Query that shows in Temporal's UI what a run knows. Pinned. */
export const MONITOR = 'monitor'

/** The Task Queue of an agent's workflows, commands and looks. The store's id keeps two databases in one namespace apart. */
export function taskQueue(storeId: string, agent: string): string {
  return `moorage.${storeId}.${agent}`
}

/** The Task Queue of an agent's turns, which have slots of their own. */
export function turnTaskQueue(storeId: string, agent: string): string {
  return `${taskQueue(storeId, agent)}.turns`
}

/** The Workflow Id of a task. */
export function taskWorkflowId(storeId: string, agent: string, taskId: string): string {
  return `${taskQueue(storeId, agent)}.${taskId}`
}

/** The id of the Schedule that removes what has expired of an agent. */
export function retentionScheduleId(storeId: string, agent: string): string {
  return `${taskQueue(storeId, agent)}.retention`
}

/** The id of the Schedule that records how an agent is. */
export function heartbeatScheduleId(storeId: string, agent: string): string {
  return `${taskQueue(storeId, agent)}.heartbeat`
}
