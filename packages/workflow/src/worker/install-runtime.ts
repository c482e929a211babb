import { IllegalStateError } from '@temporalio/common'
import { type LogMetadata, Runtime, type RuntimeOptions } from '@temporalio/worker'
import type { Logger } from '../logger.js'

/**
 * Installs Temporal's runtime, of which a process has one, with its log going to `logger` and without its own signal handlers: the process
 * decides when it stops. One that is installed already stays.
 */
export function installRuntime(logger: Logger): void {
  try {
    Runtime.install({
      logger: toTemporalLogger(logger),
      shutdownSignals: [],
      telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
    })
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error
  }
}

/** What Temporal warns of although it is meant to be so (the workers of turns run no workflows), or again and again (an outage, which the worker tells once). */
const EXPECTED = /^No workflows registered|^gRPC call \S+ retried/

/** Temporal's news of itself are details to us: only its warnings are passed on as such. */
function toTemporalLogger(logger: Logger): NonNullable<RuntimeOptions['logger']> {
  const debug = (message: string, meta?: LogMetadata): void => logger.debug(fieldsOf(meta), message)
  const warn = (message: string, meta?: LogMetadata): void => logger[EXPECTED.test(message) ? 'debug' : 'warn'](fieldsOf(meta), message)
  const error = (message: string, meta?: LogMetadata): void => logger.error(fieldsOf(meta), message)
  return {
    trace: debug,
    debug,
    info: debug,
    warn,
    error,
    log: (level, message, meta) => (level === 'ERROR' ? error : level === 'WARN' ? warn : debug)(message, meta),
  }
}

/** The fields without the error's former name and without what no logger can print. */
function fieldsOf({ error, ...fields }: LogMetadata = {}): object {
  return error === undefined ? fields : { ...fields, err: error }
}
