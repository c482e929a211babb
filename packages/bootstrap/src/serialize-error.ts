import { bounded } from './bounded.js'
import { cut } from './cut.js'
import { errorFields, MAX_MESSAGE, typeOf } from './error-fields.js'

const MAX_TYPE = 256
const MAX_STACK = 16_384

/** What happens when a server is away: it is told by its name and message, since no stack says anything about it. */
const OUTAGES = new Set(['StoreUnavailableError', 'TransportError', 'ServiceError', 'StartError', 'AbortError'])
const OUTAGE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE'])

/**
 * What was thrown, for the log: an outage without its stack, everything else with it. The code of an agent may throw anything, of any size: what
 * is too long is cut, and nothing that it throws makes the log throw.
 */
export function serializeError(error: unknown): unknown {
  try {
    return error instanceof Error ? tell(error) : bounded(error)
  } catch {
    return { type: 'unreadable', message: 'What was thrown cannot be read' }
  }
}

function tell(error: Error): object {
  if (isOutage(error)) return { type: cut(typeOf(error), MAX_TYPE), message: cut(String(error.message), MAX_MESSAGE) }
  const { type, message, stack, ...rest } = errorFields(error)
  return {
    type: cut(type, MAX_TYPE),
    message: cut(message, MAX_MESSAGE),
    stack: cut(stack, MAX_STACK),
    ...Object(bounded(rest)),
  }
}

function isOutage(error: Error): boolean {
  return OUTAGES.has(error.name) || ('code' in error && typeof error.code === 'string' && OUTAGE_CODES.has(error.code))
}
