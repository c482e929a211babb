/**
 * What the Workflow sandbox runs; `@moorage/workflow/worker` brings it as a bundle. An exported function's name is the Workflow Type.
 * @module
 */
export { heartbeatWorkflow } from './heartbeat-workflow.js'
export { retentionWorkflow } from './retention-workflow.js'
export { taskWorkflow } from './task-workflow.js'
