import { messageSchema } from './message.js'
import { anyString, boolean, filledString, identifier, int32, list, protoObject, struct, type WireSchema } from './proto-json.js'
import type { JsonObject, MessageJson } from './task.js'

/** Where and how to send push notifications (A2A §4.3.1), in its flat 1.0 form. `token` and `credentials` are secrets. */
export interface TaskPushNotificationConfigJson {
  readonly url: string
  readonly tenant?: string
  readonly id?: string
  readonly taskId?: string
  readonly token?: string
  readonly authentication?: { readonly scheme: string; readonly credentials?: string }
}

/** How the caller wants its answer (A2A §3.2.2). An unset `historyLength` is not 0: it leaves the choice to the server. */
export interface SendMessageConfigurationJson {
  readonly acceptedOutputModes?: readonly string[]
  readonly taskPushNotificationConfig?: TaskPushNotificationConfigJson
  readonly historyLength?: number
  readonly returnImmediately?: boolean
}

/** The request of SendMessage and SendStreamingMessage (A2A §3.1.1, §3.1.2). */
export interface SendMessageRequestJson {
  readonly message: MessageJson
  readonly tenant?: string
  readonly configuration?: SendMessageConfigurationJson
  readonly metadata?: JsonObject
}

/** The request of GetTask (A2A §3.1.3). An unset `historyLength` is not 0. */
export interface GetTaskRequestJson {
  readonly id: string
  readonly tenant?: string
  readonly historyLength?: number
}

/** The request of CancelTask (A2A §3.1.5). */
export interface CancelTaskRequestJson {
  readonly id: string
  readonly tenant?: string
  readonly metadata?: JsonObject
}

/** The request of SubscribeToTask (A2A §3.1.6). */
export interface SubscribeToTaskRequestJson {
  readonly id: string
  readonly tenant?: string
}

const pushConfig: WireSchema<TaskPushNotificationConfigJson> = protoObject(
  {
    url: anyString.refine((url) => /^https?:\/\/[^\s/?#]\S*$/i.test(url), { error: 'Give an absolute http or https URL.' }),
    tenant: identifier.exactOptional(),
    id: identifier.exactOptional(),
    taskId: identifier.exactOptional(),
    token: anyString.exactOptional(),
    authentication: protoObject(
      { scheme: filledString, credentials: anyString.exactOptional() },
      { emptyIsUnset: ['credentials'] },
    ).exactOptional(),
  },
  { emptyIsUnset: ['tenant', 'id', 'taskId', 'token'] },
)

const configuration: WireSchema<SendMessageConfigurationJson> = protoObject(
  {
    acceptedOutputModes: list(filledString).exactOptional(),
    taskPushNotificationConfig: pushConfig.exactOptional(),
    historyLength: int32(0).exactOptional(),
    returnImmediately: boolean.exactOptional(),
  },
  { emptyIsUnset: ['acceptedOutputModes'] },
)

const tenant = identifier.exactOptional()
const metadata = struct.exactOptional()
const emptyIsUnset = ['tenant']

/** Reads a SendMessageRequest from JSON-RPC `params` or an HTTP+JSON body. */
export const sendMessageRequestSchema: WireSchema<SendMessageRequestJson> = protoObject(
  { message: messageSchema, tenant, configuration: configuration.exactOptional(), metadata },
  { emptyIsUnset },
)

/** Reads a GetTaskRequest from JSON-RPC `params`, or from `{ ...query, id }` of an HTTP+JSON request. */
export const getTaskRequestSchema: WireSchema<GetTaskRequestJson> = protoObject(
  { id: identifier, tenant, historyLength: int32(0).exactOptional() },
  { emptyIsUnset },
)

/** Reads a CancelTaskRequest from JSON-RPC `params`, or from `{ ...body, id }` of an HTTP+JSON request. */
export const cancelTaskRequestSchema: WireSchema<CancelTaskRequestJson> = protoObject(
  { id: identifier, tenant, metadata },
  { emptyIsUnset },
)

/** Reads a SubscribeToTaskRequest from JSON-RPC `params`, or from the path of an HTTP+JSON request. */
export const subscribeToTaskRequestSchema: WireSchema<SubscribeToTaskRequestJson> = protoObject(
  { id: identifier, tenant },
  { emptyIsUnset },
)
