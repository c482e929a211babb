/**
 * The worker: runs the turns and commands of agents, and sweeps up the wakes that were lost.
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createWaker } from './client.js'
import { sweep } from './sweep.js'
import { installRuntime } from './worker/install-runtime.js'
import { type AnswerListener, runSession } from './worker/session.js'
import { type ResolvedWorkerOptions, resolveWorkerOptions, type WorkerOptions } from './worker/worker-options.js'

export type { Logger } from './logger.js'
export type { TemporalFault, TemporalFaultKind, TemporalStatus } from './temporal-fault.js'
export type { EncryptionKey, EncryptionOptions, TemporalOptions } from './temporal-options.js'
export type { WorkerOptions, WorkerSlots, WorkerVersioning } from './worker/worker-options.js'

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 5000
/** A session that lasted this long was a good one: the next attempt comes soon. */
const GOOD_SESSION_MS = 10_000

/** How a worker is at the moment. */
export interface WorkerStatus {
  /** Whether Temporal answers and its workers run. */
  readonly connected: boolean
}

/** A worker for all agents of a process. */
export interface TaskWorker {
  /** Returns at once; connects in the background and again whenever the connection is lost. */
  start(): void
  /** Takes nothing new, gives what runs the grace, hands the rest back and disconnects. */
  stop(): Promise<void>
  status(): WorkerStatus
}

/**
 * Creates a worker.
 * @throws TypeError that names the option which is wrong.
 */
export function createWorker(options: WorkerOptions): TaskWorker {
  const resolved = resolveWorkerOptions(options)
  const stopping = new AbortController()
  let connected = false
  let running: Promise<unknown> | undefined
  const run = async (): Promise<void> => {
    const { temporal, store, agents, policy, sweepIntervalMs: intervalMs, logger } = resolved
    installRuntime(logger)
    const waker = options.waker ?? createWaker({ temporal, storeId: store.id, policy, logger })
    const sweeping = sweep(
      { store, agents: agents.map(({ id }) => id), waker, intervalMs, logger, ready: () => connected },
      stopping.signal,
    )
    await keepRunning(resolved, stopping.signal, (answers) => {
      connected = answers
    })
    await sweeping
    if (!options.waker) await waker.close()
  }
  return {
    start: () => {
      running ??= run()
    },
    stop: async () => {
      stopping.abort()
      await running
    },
    status: () => ({ connected }),
  }
}

/** One session after the other, with growing pauses where they fail at once. An outage is told once. */
async function keepRunning(options: ResolvedWorkerOptions, signal: AbortSignal, onAnswer: (answers: boolean) => void): Promise<void> {
  const { logger, temporal } = options
  let delay = FIRST_DELAY_MS
  let away = false
  const listen: AnswerListener = (answers, cause) => {
    if (!answers) {
      logger[away ? 'debug' : 'warn']({ err: cause, address: temporal.address }, 'the worker cannot reach Temporal; it keeps trying')
    } else if (away) {
      logger.info({ address: temporal.address }, 'the worker has reached Temporal again')
    }
    away = !answers
    onAnswer(answers)
  }
  while (!signal.aborted) {
    const started = performance.now()
    try {
      await runSession(options, signal, listen)
    } catch (error) {
      listen(false, error)
    }
    if (performance.now() - started > GOOD_SESSION_MS) delay = FIRST_DELAY_MS
    await sleep(delay, undefined, { signal }).catch(() => {})
    delay = Math.min(delay * 2, LONGEST_DELAY_MS)
  }
  onAnswer(false)
}
