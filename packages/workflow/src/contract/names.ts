/** The Workflow Type of a task. Pinned: open runs and recorded histories name it. */
export const TASK_WORKFLOW = 'taskWorkflow'

/** The Update and the Signal that wake a task's workflow, and the Query for Temporal's UI. Pinned. */
export const DELIVER = 'deliver'
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
