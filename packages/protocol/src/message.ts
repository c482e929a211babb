import { partSchema } from './part.js'
import { filledString, identifier, list, optionalIdentifier, protoEnum, protoObject, struct, type WireSchema } from './proto-json.js'
import type { MessageJson } from './task.js'

/** A Message of the wire (A2A §4.1.4); an empty `taskId` or `contextId` and an empty list are left out, as unset. */
export const messageSchema: WireSchema<MessageJson> = protoObject(
  {
    messageId: identifier,
    role: protoEnum(['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT']),
    parts: list(partSchema, { nonEmpty: true }),
    contextId: optionalIdentifier,
    taskId: optionalIdentifier,
    metadata: struct.exactOptional(),
    extensions: list(filledString).exactOptional(),
    referenceTaskIds: list(identifier).exactOptional(),
  },
  { emptyIsUnset: ['contextId', 'taskId', 'extensions', 'referenceTaskIds'] },
)
