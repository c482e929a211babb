/**
 * The worker: runs the turns and commands of agents, and sweeps up the wakes that were lost.
 * @module
 */
import { createWaker } from './client.js'
import type { TemporalStatus } from './fault/temporal-fault.js'
import { sweep } from './sweep.js'
import { installRuntime } from './worker/install-runtime.js'
import { keepRunning, type WorkerState } from './worker/keep-running.js'
import { resolveWorkerOptions, type WorkerOptions } from './worker/worker-options.js'

export type { TemporalFault, TemporalFaultKind, TemporalStatus } from './fault/temporal-fault.js'
export type { Logger } from './logger.js'
export type { EncryptionKey, EncryptionOptions, TemporalOptions } from './temporal-options.js'
export type { WorkerOptions, WorkerSlots, WorkerVersioning } from './worker/worker-options.js'

/** How a worker is at the moment: `connected` says whether Temporal answers and its workers run. */
export interface WorkerStatus extends TemporalStatus {
  /** How many turns run here; while `stop` waits, those that still have their grace. */
  readonly turns: number
  /** How many commands run here. */
  readonly commands: number
}

/** A worker for all agents of a process. */
export interface TaskWorker {
  /** Returns at once; connects in the background and again whenever the connection is lost, and keeps trying whatever the fault. */
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
  const { temporal, store, agents, policy, sweepIntervalMs: intervalMs, logger } = resolved
  const waker = options.waker ?? createWaker({ temporal, storeId: store.id, policy, logger })
  const stopping = new AbortController()
  const state: WorkerState = { load: { turns: 0, commands: 0 }, running: false, fault: undefined }
  const status = (): WorkerStatus => ({ ...connectionOf(state, waker.status()), ...state.load })
  let running: Promise<unknown> | undefined
  const run = async (): Promise<void> => {
    installRuntime(logger)
    const ready = (): boolean => status().connected
    const sweeping = sweep({ store, agents: agents.map(({ id }) => id), waker, intervalMs, logger, ready }, stopping.signal)
    await keepRunning(resolved, () => waker.check(), state, stopping.signal)
    await sweeping
  }
  return {
    start: () => {
      running ??= run()
    },
    stop: async () => {
      stopping.abort()
      await running
      if (!options.waker) await waker.close()
    },
    status,
  }
}

function connectionOf({ running, fault: own }: WorkerState, waker: TemporalStatus): TemporalStatus {
  const fault = own ?? waker.fault
  return { connected: running && waker.connected && !own, ...(fault && { fault }) }
}
