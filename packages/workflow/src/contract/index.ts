/**
 * The names and shapes that workflows, workers and wakers agree on. Sandbox-safe.
 * @module
 */
export { DEFAULT_EXECUTION_POLICY, type Delivery, type ExecutionPolicy, type TaskWorkflowInput } from './deliver.js'
export {
  DELIVER,
  HEARTBEAT_WORKFLOW,
  heartbeatScheduleId,
  MONITOR,
  RETENTION_WORKFLOW,
  retentionScheduleId,
  TASK_WORKFLOW,
  taskQueue,
  taskWorkflowId,
  turnTaskQueue,
} from './names.js'
export { DEFAULT_RETENTION, type RetentionInput } from './retention.js'
export type { Waker } from './waker.js'
