import { anyString, filledString, optionalIdentifier, protoObject, type WireSchema } from './proto-json.js'

/** Where and how to send push notifications (A2A §4.3.1), in its flat 1.0 form. `token` and `credentials` are secrets. */
export interface TaskPushNotificationConfigJson {
  readonly url: string
  readonly tenant?: string
  readonly id?: string
  readonly taskId?: string
  readonly token?: string
  readonly authentication?: { readonly scheme: string; readonly credentials?: string }
}

export const pushConfigFields = {
  url: anyString
    .refine((url) => /^https?:\/\/[^\s/?#]\S*$/i.test(url), { error: 'Give an absolute http or https URL.' })
    .meta({ format: 'uri' }),
  tenant: optionalIdentifier,
  id: optionalIdentifier,
  taskId: optionalIdentifier,
  token: anyString.exactOptional(),
  authentication: protoObject(
    { scheme: filledString, credentials: anyString.exactOptional() },
    { emptyIsUnset: ['credentials'] },
  ).exactOptional(),
}

export const PUSH_CONFIG_RULES = { emptyIsUnset: ['tenant', 'id', 'taskId', 'token'] } as const

/** The config as a request carries it. */
export const pushConfigSchema: WireSchema<TaskPushNotificationConfigJson> = protoObject(pushConfigFields, PUSH_CONFIG_RULES)
