import { IllegalStateError } from '@temporalio/common'
import { Runtime } from '@temporalio/worker'
import type { Logger } from '../logger.js'
import { toTemporalLogger } from './temporal-logger.js'

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
