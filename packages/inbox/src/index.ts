/**
 * What may enter a task: access, the recognition of commands, redaction. Pure; the transaction that accepts a message is `@moorage/inbox/receive`.
 * @module
 */
export { type Access, type Decision, decide, type TaskAccess } from './access.js'
export { MAX_PUSH_CONFIGS, type Reception, type Refusal } from './reception.js'
export { type RecognisedCommand, recogniseCommand } from './recognise-command.js'
export { MARK } from './redact/mark.js'
export { createRedactor, type Redactor } from './redact/redactor.js'
export type { TextRedaction } from './redact/text-redaction.js'
