import { type Logger, pino, stdTimeFunctions } from 'pino'
import { serializeError } from './serialize-error.js'
import type { SharedConfig } from './shared-config.js'

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
