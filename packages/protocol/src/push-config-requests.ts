import { anyString, identifier, int32, optionalIdentifier, protoObject, type WireSchema } from './proto-json.js'
import { PUSH_CONFIG_RULES, pushConfigFields, type TaskPushNotificationConfigJson } from './push-config.js'

/** The request of CreateTaskPushNotificationConfig (A2A §3.1.7): the config itself. */
export type CreatePushConfigRequestJson = TaskPushNotificationConfigJson & { readonly taskId: string }

/** The request of GetTaskPushNotificationConfig and of DeleteTaskPushNotificationConfig (A2A §3.1.8, §3.1.10). */
export interface OnePushConfigRequestJson {
  readonly taskId: string
  readonly id: string
  readonly tenant?: string
}

/** The request of ListTaskPushNotificationConfigs (A2A §3.1.9). The proto knows no unset `pageSize`: 0 leaves the choice to the server. */
export interface ListPushConfigsRequestJson {
  readonly taskId: string
  readonly tenant?: string
  readonly pageSize?: number
  readonly pageToken?: string
}

/** The request of GetExtendedAgentCard (A2A §3.1.11). */
export interface GetExtendedAgentCardRequestJson {
  readonly tenant?: string
}

const tenant = optionalIdentifier

/** Reads a CreateTaskPushNotificationConfigRequest from JSON-RPC `params`, or from `{ ...body, taskId }` of an HTTP+JSON request. */
export const createPushConfigRequestSchema: WireSchema<CreatePushConfigRequestJson> = protoObject(
  { ...pushConfigFields, taskId: identifier },
  PUSH_CONFIG_RULES,
)

/** Reads the request that names one config, from JSON-RPC `params` or from the path of an HTTP+JSON request. */
export const onePushConfigRequestSchema: WireSchema<OnePushConfigRequestJson> = protoObject(
  { taskId: identifier, id: identifier, tenant },
  { emptyIsUnset: ['tenant'] },
)

/** Reads a ListTaskPushNotificationConfigsRequest from JSON-RPC `params`, or from `{ ...query, taskId }` of an HTTP+JSON request. */
export const listPushConfigsRequestSchema: WireSchema<ListPushConfigsRequestJson> = protoObject(
  { taskId: identifier, tenant, pageSize: int32(0).exactOptional(), pageToken: anyString.exactOptional() },
  { emptyIsUnset: ['tenant', 'pageToken'] },
)

/** Reads a GetExtendedAgentCardRequest, which names a tenant at most. */
export const getExtendedAgentCardRequestSchema: WireSchema<GetExtendedAgentCardRequestJson> = protoObject(
  { tenant },
  { emptyIsUnset: ['tenant'] },
)
