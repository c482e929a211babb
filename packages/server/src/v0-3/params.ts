import { partSchema } from '@moorage/protocol'
import { z } from 'zod'

/**
 * What the SDK's handler must be given, so that it neither stumbles nor takes one thing for another: it decodes without looking. The rules
 * of 1.0 are checked afterwards, in what it makes of the request.
 */

/** `null` means "not set", as in 1.0. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema.optional()).optional()
}

const LONGEST_LIST = 100

/** The items are not looked at where there are too many. */
function list<Item extends z.ZodType>(item: Item, least = 0) {
  const items = z.array(z.unknown(), { error: 'Give a list.' }).min(least, { error: 'Give at least one item.' }).max(LONGEST_LIST)
  return items.pipe(z.array(item))
}

const string = z.string({ error: 'Give a string.' })
const integer = z.int({ error: 'Give an integer.' })
const struct = z.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
  error: 'Give a JSON object.',
})
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.object(shape, { error: 'Give a JSON object.' })

const metadata = optional(struct)
const base64 = string.refine((bytes) => partSchema.safeParse({ raw: bytes }).success, { error: 'Give the bytes as base64.' })

/** Only the one of both that is set is put out: the SDK asks for its name. */
const file = object({ bytes: optional(base64), uri: optional(string), mimeType: optional(string), name: optional(string) }).transform(
  ({ bytes, uri, ...rest }, context) => {
    if ((bytes === undefined) !== (uri === undefined)) return { ...rest, ...(bytes === undefined ? { uri } : { bytes }) }
    context.addIssue({ code: 'custom', message: 'Give exactly one of bytes and uri.' })
    return z.NEVER
  },
)

const part = z.discriminatedUnion(
  'kind',
  [
    object({ kind: z.literal('text'), text: string, metadata }),
    object({ kind: z.literal('file'), file, metadata }),
    object({ kind: z.literal('data'), data: struct, metadata }),
  ],
  { error: 'Give a part of the kind text, file or data.' },
)

const message = object({
  messageId: string.min(1, { error: 'Give a non-empty string.' }),
  role: z.enum(['user', 'agent'], { error: 'Give user or agent.' }),
  parts: list(part, 1),
  contextId: optional(string),
  taskId: optional(string),
  metadata,
  extensions: optional(list(string)),
  referenceTaskIds: optional(list(string)),
})

/** 1.0 has one scheme; of several, the SDK takes the first too, and prints all of them. */
const authentication = object({ schemes: list(string).transform((schemes) => schemes.slice(0, 1)), credentials: optional(string) })

const pushNotificationConfig = object({
  url: string,
  id: optional(string),
  token: optional(string),
  authentication: optional(authentication),
})

const configuration = object({
  acceptedOutputModes: optional(list(string)),
  blocking: optional(z.boolean({ error: 'Give true or false.' })),
  historyLength: optional(integer),
  pushNotificationConfig: optional(pushNotificationConfig),
})

const send = object({ message, configuration: optional(configuration), metadata })
const task = object({ id: string, metadata })

/** The methods of JSON-RPC in A2A 0.3 (its §7), with what each must be given. There is none that lists tasks. */
export const V03_PARAMS: ReadonlyMap<string, z.ZodType<object>> = new Map<string, z.ZodType<object>>([
  ['message/send', send],
  ['message/stream', send],
  ['tasks/get', object({ id: string, historyLength: optional(integer), metadata })],
  ['tasks/cancel', task],
  ['tasks/resubscribe', task],
  ['tasks/pushNotificationConfig/set', object({ taskId: string, pushNotificationConfig, metadata })],
  ['tasks/pushNotificationConfig/get', object({ id: string, pushNotificationConfigId: optional(string), metadata })],
  ['tasks/pushNotificationConfig/list', task],
  ['tasks/pushNotificationConfig/delete', object({ id: string, pushNotificationConfigId: string, metadata })],
  ['agent/getAuthenticatedExtendedCard', object({})],
])
