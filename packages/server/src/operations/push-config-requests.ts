import type { WireSchema } from '@moorage/protocol'
import { z } from 'zod'

/** What of a push-config request is looked at while push notifications are not declared: that it is well-formed, and its tenant. */
export interface PushConfigRequest {
  readonly tenant?: string | undefined
}

/** ProtoJSON takes snake_case too, and an empty string as unset. */
function readField(request: unknown, field: string): unknown {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return undefined
  const snake = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const value = Object.entries(request).find(([name]) => name === field || name === snake)?.[1]
  return value === '' || value === null ? undefined : value
}

const error = 'Give a non-empty string of at most 256 characters.'
const identifier = z.string({ error }).max(256, { error })
const urlError = 'Give an absolute http or https URL.'
const url = z.string({ error: urlError }).regex(/^https?:\/\/[^\s/?#]\S*$/i, { error: urlError })

function requestOf(required: Readonly<Record<string, z.ZodType>>): WireSchema<PushConfigRequest> {
  const fields = [...Object.keys(required), 'tenant']
  const read = (request: unknown) => Object.fromEntries(fields.map((field) => [field, readField(request, field)]))
  return z.preprocess(read, z.object({ ...required, tenant: identifier.optional() }))
}

/** Reads the request of CreateTaskPushNotificationConfig (A2A §3.1.7). */
export const createPushConfigSchema = requestOf({ taskId: identifier, url })

/** Reads the requests of GetTaskPushNotificationConfig and DeleteTaskPushNotificationConfig (A2A §3.1.8, §3.1.10). */
export const onePushConfigSchema = requestOf({ taskId: identifier, id: identifier })

/** Reads the request of ListTaskPushNotificationConfigs (A2A §3.1.9). */
export const listPushConfigsSchema = requestOf({ taskId: identifier })

/** Reads the request of GetExtendedAgentCard (A2A §3.1.11), which names a tenant at most. */
export const extendedAgentCardSchema = requestOf({})
