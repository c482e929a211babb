/**
 * What may enter a task: access and the recognition of commands. Pure; the transaction that accepts a message is `@moorage/inbox/receive`.
 * @module
 */
export { type Access, type Decision, decide, type TaskAccess } from './access.js'
export { MAX_PUSH_CONFIGS, type Reception, type Refusal } from './reception.js'
export { type RecognisedCommand, recogniseCommand } from './recognise-command.js'
