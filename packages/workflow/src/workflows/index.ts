/**
 * What the Workflow sandbox runs; `@moorage/workflow/worker` brings it as a bundle. The exported function's name is the Workflow Type.
 * @module
 */
export { taskWorkflow } from './task-workflow.js'
