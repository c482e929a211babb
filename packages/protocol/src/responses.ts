import { z } from 'zod'
import { messageSchema } from './message.js'
import { partSchema } from './part.js'
import { anyString, boolean, filledString, int32, protoEnum, protoObject, struct, type WireSchema } from './proto-json.js'
import { pushConfigSchema, type TaskPushNotificationConfigJson } from './push-config.js'
import type {
  ArtifactJson,
  SendMessageResponseJson,
  StreamResponseJson,
  TaskArtifactUpdateEventJson,
  TaskJson,
  TaskStatusJson,
  TaskStatusUpdateEventJson,
} from './task.js'
import { TASK_STATES, type TaskState } from './task-state.js'

/** What an agent answers has no bound of its own: its length is what the answer is. */
const items = <Item extends z.ZodType>(item: Item) => z.array(item, { error: 'Give a list.' })

/** An Artifact of the wire (A2A §4.1.7). */
export const artifactSchema: WireSchema<ArtifactJson> = protoObject({
  artifactId: filledString,
  name: anyString.exactOptional(),
  description: anyString.exactOptional(),
  parts: items(partSchema),
  metadata: struct.exactOptional(),
  extensions: items(anyString).exactOptional(),
})

/** A TaskStatus of the wire (A2A §4.1.2). */
export const taskStatusSchema: WireSchema<TaskStatusJson> = protoObject({
  state: protoEnum<TaskState>(['TASK_STATE_UNSPECIFIED', ...TASK_STATES]),
  message: messageSchema.exactOptional(),
  timestamp: anyString.meta({ format: 'date-time' }),
})

/** A Task of the wire (A2A §4.1.1). */
export const taskSchema: WireSchema<TaskJson> = protoObject({
  id: filledString,
  contextId: filledString,
  status: taskStatusSchema,
  artifacts: items(artifactSchema).exactOptional(),
  history: items(messageSchema).exactOptional(),
  metadata: struct.exactOptional(),
})

/** A TaskStatusUpdateEvent of the wire (A2A §4.2.1). */
export const taskStatusUpdateEventSchema: WireSchema<TaskStatusUpdateEventJson> = protoObject({
  taskId: filledString,
  contextId: filledString,
  status: taskStatusSchema,
  metadata: struct.exactOptional(),
})

/** A TaskArtifactUpdateEvent of the wire (A2A §4.2.2). */
export const taskArtifactUpdateEventSchema: WireSchema<TaskArtifactUpdateEventJson> = protoObject({
  taskId: filledString,
  contextId: filledString,
  artifact: artifactSchema,
  append: boolean.exactOptional(),
  lastChunk: boolean.exactOptional(),
  metadata: struct.exactOptional(),
})

/** An object with exactly one of its fields, as the oneofs of the proto are. */
function oneOf<Value>(shape: z.core.$ZodLooseShape): WireSchema<Value> {
  const names = Object.keys(shape)
  const error = `Give exactly one of ${names.join(', ')}.`
  return protoObject(shape)
    .transform((value, context) => {
      if (Object.keys(value).length === 1) return value as Value
      context.addIssue({ code: 'custom', message: error })
      return z.NEVER
    })
    .meta({ oneOf: names.map((name) => ({ required: [name] })) })
}

/** The answer of SendMessage on the wire (A2A §3.1.1). */
export const sendMessageResponseSchema = oneOf<SendMessageResponseJson>({
  task: taskSchema.exactOptional(),
  message: messageSchema.exactOptional(),
})

/** One event of a stream, and the body of a push notification (A2A §3.2.3, §4.3.3). */
export const streamResponseSchema = oneOf<StreamResponseJson>({
  task: taskSchema.exactOptional(),
  message: messageSchema.exactOptional(),
  statusUpdate: taskStatusUpdateEventSchema.exactOptional(),
  artifactUpdate: taskArtifactUpdateEventSchema.exactOptional(),
})

/** The answer of ListTasks (A2A §3.1.4): all four fields always; `nextPageToken` is empty on the last page. */
export interface ListTasksResponseJson {
  readonly tasks: readonly TaskJson[]
  readonly nextPageToken: string
  readonly pageSize: number
  readonly totalSize: number
}

/** The answer of ListTasks on the wire. */
export const listTasksResponseSchema: WireSchema<ListTasksResponseJson> = protoObject({
  tasks: items(taskSchema),
  nextPageToken: anyString,
  pageSize: int32(0),
  totalSize: int32(0),
})

/** The answer of ListTaskPushNotificationConfigs (A2A §3.1.9), without secrets; `nextPageToken` is empty on the last page. */
export interface ListPushConfigsResponseJson {
  readonly configs: readonly TaskPushNotificationConfigJson[]
  readonly nextPageToken: string
}

/** The answer of ListTaskPushNotificationConfigs on the wire. */
export const listPushConfigsResponseSchema: WireSchema<ListPushConfigsResponseJson> = protoObject({
  configs: items(pushConfigSchema),
  nextPageToken: anyString,
})
