import {
  artifactSchema,
  authorizeTaskRequestSchema,
  cancelTaskRequestSchema,
  getExtendedAgentCardRequestSchema,
  getTaskRequestSchema,
  listPushConfigsRequestSchema,
  listPushConfigsResponseSchema,
  listTasksQuerySchema,
  listTasksResponseSchema,
  messageSchema,
  onePushConfigRequestSchema,
  partSchema,
  pushConfigSchema,
  sendMessageRequestSchema,
  sendMessageResponseSchema,
  streamResponseSchema,
  subscribeToTaskRequestSchema,
  taskArtifactUpdateEventSchema,
  taskSchema,
  taskStatusSchema,
  taskStatusUpdateEventSchema,
} from '@moorage/protocol'
import { z } from 'zod'

/** A JSON Schema (2020-12), which is what OpenAPI 3.1 speaks. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

const agentCard = z.looseObject({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  supportedInterfaces: z.array(z.looseObject({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() })),
  capabilities: z.looseObject({}),
  defaultInputModes: z.array(z.string()),
  defaultOutputModes: z.array(z.string()),
  skills: z.array(z.looseObject({ id: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()) })),
})

/** A2A §11.6. */
const error = z.looseObject({
  error: z.looseObject({
    code: z.int().meta({ minimum: 400, maximum: 599 }),
    status: z.string(),
    message: z.string(),
    details: z.array(z.looseObject({ '@type': z.string() })),
  }),
})

/** What the document names. Requests that have no body are kept out of it: their fields are parameters. */
const COMPONENTS = {
  AgentCard: agentCard,
  Artifact: artifactSchema,
  AuthorizeTaskRequest: authorizeTaskRequestSchema,
  CancelTaskRequest: cancelTaskRequestSchema,
  Error: error,
  ListTaskPushNotificationConfigsResponse: listPushConfigsResponseSchema,
  ListTasksResponse: listTasksResponseSchema,
  Message: messageSchema,
  Part: partSchema,
  SendMessageRequest: sendMessageRequestSchema,
  SendMessageResponse: sendMessageResponseSchema,
  StreamResponse: streamResponseSchema,
  Task: taskSchema,
  TaskArtifactUpdateEvent: taskArtifactUpdateEventSchema,
  TaskPushNotificationConfig: pushConfigSchema,
  TaskStatus: taskStatusSchema,
  TaskStatusUpdateEvent: taskStatusUpdateEventSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>

export type ComponentName = keyof typeof COMPONENTS

const PARAMETERS = {
  createTaskPushNotificationConfig: pushConfigSchema,
  authorizeTask: authorizeTaskRequestSchema,
  cancelTask: cancelTaskRequestSchema,
  getExtendedAgentCard: getExtendedAgentCardRequestSchema,
  getTask: getTaskRequestSchema,
  listTaskPushNotificationConfigs: listPushConfigsRequestSchema,
  listTasks: listTasksQuerySchema,
  onePushConfig: onePushConfigRequestSchema,
  subscribeToTask: subscribeToTaskRequestSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>

export type ParametersName = keyof typeof PARAMETERS

export const schemaRef = (name: ComponentName) => ({ $ref: `#/components/schemas/${name}` })

/** The schemas of the document but for some that it has no use for, each once, with references between them. */
export function componentSchemas(unused: readonly ComponentName[]): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(COMPONENTS)) if (!unused.some((name) => name === id)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io: 'input', unrepresentable: 'any', uri: (id) => `#/components/schemas/${id}` })
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]))
}

/** The schemas of a request's fields, for where they stand in the URL. */
export function parameterSchemas(name: ParametersName): Readonly<Record<string, JsonSchema>> {
  const { properties = {} } = z.toJSONSchema(PARAMETERS[name], { io: 'input', unrepresentable: 'any' })
  return properties as Readonly<Record<string, JsonSchema>>
}
