import { setTimeout as sleep } from 'node:timers/promises'
import { describeTemporalFault, findingOf } from '../fault/describe-temporal-fault.js'
import type { TemporalFault, TemporalStatus } from '../fault/temporal-fault.js'
import { addressOf } from '../temporal-options.js'
import { runSession } from './session.js'
import { untilAborted } from './until-aborted.js'
import type { WorkerLoad } from './worker-load.js'
import type { ResolvedWorkerOptions } from './worker-options.js'

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 5000
/** A session that lasted this long was a good one: the next attempt comes soon. */
const GOOD_SESSION_MS = 10_000

/** How a worker is, besides what its waker knows of Temporal. */
export interface WorkerState {
  readonly load: WorkerLoad
  running: boolean
  /** What only the worker's own connection has met. */
  fault: TemporalFault | undefined
}

/** One session after the other, with growing pauses where they fail at once, until `signal` is aborted. `check` says how Temporal is. */
export async function keepRunning(
  options: ResolvedWorkerOptions,
  check: () => Promise<TemporalStatus>,
  state: WorkerState,
  signal: AbortSignal,
): Promise<void> {
  let delay = FIRST_DELAY_MS
  while (!signal.aborted) {
    const started = performance.now()
    // A Temporal Worker that cannot be created leaves its threads behind: whatever would stop it has to show before.
    const status = await untilAborted(signal, check())
    if (status?.connected) await runOnce(options, check, state, signal)
    if (performance.now() - started > GOOD_SESSION_MS) delay = FIRST_DELAY_MS
    await sleep(delay, undefined, { signal }).catch(() => {})
    delay = Math.min(delay * 2, LONGEST_DELAY_MS)
  }
}

async function runOnce(
  options: ResolvedWorkerOptions,
  check: () => Promise<TemporalStatus>,
  state: WorkerState,
  signal: AbortSignal,
): Promise<void> {
  const onRunning = (): void => {
    state.running = true
    state.fault = undefined
  }
  try {
    await runSession(options, signal, { load: state.load, onRunning, check })
  } catch (error) {
    const before = state.fault
    state.fault = findingOf(error) && describeTemporalFault(error, options.temporal)
    if (!signal.aborted) tell(options, error, state.fault, before)
    else options.logger.debug({ err: error }, 'the worker did not stop as it should')
  } finally {
    state.running = false
  }
}

/** The cause is for those who look for it, unless it is all that is known. */
function tell(
  { logger, temporal }: ResolvedWorkerOptions,
  error: unknown,
  fault: TemporalFault | undefined,
  before: TemporalFault | undefined,
): void {
  if (!fault) {
    logger.error({ err: error }, 'the worker stopped for an unexpected error; it starts again')
    return
  }
  logger.debug({ err: error }, 'the worker lost Temporal')
  if (fault.kind !== before?.kind) logger.error({ address: addressOf(temporal) }, `${fault.message}; the worker keeps trying`)
}
