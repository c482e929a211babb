/**
 * A2A 1.0 on the wire, in its ProtoJSON form. Runs in every zone, the Workflow sandbox included.
 * @module
 */
export type {
  AgentCapabilitiesJson,
  AgentCardJson,
  AgentCardSignatureJson,
  AgentExtensionJson,
  AgentInterfaceJson,
  AgentSkillJson,
  SecurityRequirementJson,
  SecuritySchemeJson,
} from './agent-card.js'
export { BAD_REQUEST_TYPE, ERROR_DOMAIN, ERROR_INFO_TYPE, ERROR_TABLE, type ErrorName, type ErrorRow } from './error-table.js'
export { fieldPath } from './field-path.js'
export { type FieldViolation, fieldViolations } from './field-violations.js'
export { type ListTasksRequestJson, listTasksQuerySchema, listTasksRequestSchema } from './list-tasks-request.js'
export { messageSchema } from './message.js'
export { partSchema } from './part.js'
export { identifier, type WireSchema } from './proto-json.js'
export { pushConfigSchema, type TaskPushNotificationConfigJson } from './push-config.js'
export {
  type CreatePushConfigRequestJson,
  createPushConfigRequestSchema,
  type GetExtendedAgentCardRequestJson,
  getExtendedAgentCardRequestSchema,
  type ListPushConfigsRequestJson,
  listPushConfigsRequestSchema,
  type OnePushConfigRequestJson,
  onePushConfigRequestSchema,
} from './push-config-requests.js'
export { requestedVersions } from './requested-versions.js'
export {
  type AuthorizeTaskRequestJson,
  authorizeTaskRequestSchema,
  type CancelTaskRequestJson,
  cancelTaskRequestSchema,
  type GetTaskRequestJson,
  getTaskRequestSchema,
  type SendMessageConfigurationJson,
  type SendMessageRequestJson,
  type SubscribeToTaskRequestJson,
  sendMessageRequestSchema,
  subscribeToTaskRequestSchema,
} from './requests.js'
export {
  artifactSchema,
  type ListPushConfigsResponseJson,
  type ListTasksResponseJson,
  listPushConfigsResponseSchema,
  listTasksResponseSchema,
  sendMessageResponseSchema,
  streamResponseSchema,
  taskArtifactUpdateEventSchema,
  taskSchema,
  taskStatusSchema,
  taskStatusUpdateEventSchema,
} from './responses.js'
export type {
  ArtifactJson,
  Json,
  JsonObject,
  MessageJson,
  PartJson,
  Role,
  SendMessageResponseJson,
  StreamResponseJson,
  TaskArtifactUpdateEventJson,
  TaskJson,
  TaskStatusJson,
  TaskStatusUpdateEventJson,
} from './task.js'
export { isInterrupted, isTerminal, TASK_STATES, type TaskState } from './task-state.js'
