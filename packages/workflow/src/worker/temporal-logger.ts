import type { LogMetadata, RuntimeOptions } from '@temporalio/worker'
import type { Logger } from '../logger.js'
import { MISSING_KEY } from '../payload-encryption.js'

/**
 * What Temporal warns of although it is meant to be so (the workers of turns run no workflows; the run of a canceled task is closed before its
 * Activity has left), or again and again in words of its own while it is away, which we tell once in ours.
 */
const EXPECTED =
  /^No workflows registered|^Activity not found on completion|^gRPC call \S+ retried|^Error when recording heartbeat|^Network error|transport::Error/

/** Temporal's news of itself are details to us: only its warnings are passed on as such. */
export function toTemporalLogger(logger: Logger): NonNullable<RuntimeOptions['logger']> {
  const debug = (message: string, meta?: LogMetadata): void => logger.debug(fieldsOf(meta), message)
  const warn = (message: string, meta?: LogMetadata): void =>
    logger[EXPECTED.test(message) || isTold(meta) ? 'debug' : 'warn'](fieldsOf(meta), message)
  const error = (message: string, meta?: LogMetadata): void => logger[isTold(meta) ? 'debug' : 'error'](fieldsOf(meta), message)
  return {
    trace: debug,
    debug,
    info: debug,
    warn,
    error,
    log: (level, message, meta) => (level === 'ERROR' ? error : level === 'WARN' ? warn : debug)(message, meta),
  }
}

/** Whether it repeats, with each attempt at a Workflow Task, that a key is missing, which the encryption tells once. */
function isTold({ error, failure }: LogMetadata = {}): boolean {
  return `${error} ${failure}`.includes(MISSING_KEY)
}

/** The fields without the error's former name and without what no logger can print. */
function fieldsOf({ error, ...fields }: LogMetadata = {}): object {
  return error === undefined ? fields : { ...fields, err: error }
}
