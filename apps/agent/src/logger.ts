import { type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from './config.js'

/**
 * The log: JSON lines on stderr, one an event, with ids and never the text of a message. Each line is out before the call returns. When nobody
 * reads stderr any more, the log goes nowhere, and the server on.
 */
export function createLogger(level: Config['logLevel']): Logger {
  const stderr = pino.destination({ dest: 2, sync: true })
  stderr.on('error', () => undefined)
  return pino(
    { level, base: { pid: process.pid }, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    stderr,
  )
}
