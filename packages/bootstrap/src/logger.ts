import { type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { SharedConfig } from './shared-config.js'

/** What happens when a server is away: it is told by its name and message, since no stack says anything about it. */
const OUTAGES = new Set(['StoreUnavailableError', 'TransportError', 'ServiceError', 'StartError', 'AbortError'])
const OUTAGE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE'])

/**
 * The log: JSON lines on stderr, one an event, with ids and never the text of a message. Each line is out before the call returns. When nobody
 * reads stderr any more, the log goes nowhere, and the process on.
 */
export function createLogger(level: SharedConfig['logLevel']): Logger {
  const stderr = pino.destination({ dest: 2, sync: true })
  stderr.on('error', () => undefined)
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
  }
  return pino(options, stderr)
}

/** As pino does it, without what tsx adds to the names of modules; an outage without its stack. */
export function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { stack, ...rest } = stdSerializers.err(error)
  if (isOutage(error)) return { type: rest.type, message: error.message }
  return { ...rest, stack: stack.replace(/\?namespace=[\w-]+/g, '') }
}

function isOutage(error: Error): boolean {
  return OUTAGES.has(error.name) || ('code' in error && typeof error.code === 'string' && OUTAGE_CODES.has(error.code))
}
