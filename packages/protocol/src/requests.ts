import { messageSchema } from './message.js'
import { boolean, filledString, identifier, int32, list, optionalIdentifier, protoObject, struct, type WireSchema } from './proto-json.js'
import { pushConfigSchema, type TaskPushNotificationConfigJson } from './push-config.js'
import type { JsonObject, MessageJson } from './task.js'

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

/** The request to let a task go on that is AUTH_REQUIRED; A2A leaves it to servers how that is told (§7.6.1). An unset `scheme` is the one that is asked for. */
export interface AuthorizeTaskRequestJson {
  readonly id: string
  readonly tenant?: string
  readonly scheme?: string
}

/** The request of SubscribeToTask (A2A §3.1.6). */
export interface SubscribeToTaskRequestJson {
  readonly id: string
  readonly tenant?: string
}

const configuration: WireSchema<SendMessageConfigurationJson> = protoObject(
  {
    acceptedOutputModes: list(filledString).exactOptional(),
    taskPushNotificationConfig: pushConfigSchema.exactOptional(),
    historyLength: int32(0).exactOptional(),
    returnImmediately: boolean.exactOptional(),
  },
  { emptyIsUnset: ['acceptedOutputModes'] },
)

const tenant = optionalIdentifier
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

/** Reads an AuthorizeTaskRequest, which is no operation of A2A, from `{ ...body, id }` of an HTTP+JSON request. */
export const authorizeTaskRequestSchema: WireSchema<AuthorizeTaskRequestJson> = protoObject(
  { id: identifier, tenant, scheme: filledString.exactOptional() },
  { emptyIsUnset: [...emptyIsUnset, 'scheme'] },
)

/** Reads a SubscribeToTaskRequest from JSON-RPC `params`, or from the path of an HTTP+JSON request. */
export const subscribeToTaskRequestSchema: WireSchema<SubscribeToTaskRequestJson> = protoObject(
  { id: identifier, tenant },
  { emptyIsUnset },
)
