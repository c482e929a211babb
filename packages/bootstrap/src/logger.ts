import { createRedactor } from '@moorage/inbox'
import { type Logger, pino, stdTimeFunctions } from 'pino'
import { serializeError } from './serialize-error.js'
import type { SharedConfig } from './shared-config.js'

/**
 * The log: JSON lines on stderr, one an event, with ids and never the text of a message, and without secrets, wherever in a line they are. Each line is out before the call returns. When nobody
 * reads stderr any more, the log goes nowhere, and the process on.
 */
export function createLogger(level: SharedConfig['logLevel'], secrets: readonly string[] = []): Logger {
  const redactor = createRedactor(secrets)
  const stderr = pino.destination({ dest: 2, sync: true })
  stderr.on('error', () => undefined)
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
    hooks: { streamWrite: (line: string) => redactor.text(line) },
  }
  return pino(options, stderr)
}
