import { setTimeout as sleep } from 'node:timers/promises'
import { NativeConnection, type Worker } from '@temporalio/worker'
import { connectionOptions } from '../temporal-options.js'
import { keepSchedules } from './keep-schedules.js'
import { createTemporalWorkers } from './temporal-workers.js'
import { untilAborted } from './until-aborted.js'
import type { WorkerLoad } from './worker-load.js'
import type { ResolvedWorkerOptions } from './worker-options.js'

const PROBE_INTERVAL_MS = 2000

export interface SessionListener {
  readonly load: WorkerLoad
  /** The Temporal Workers of all agents take work. */
  onRunning(): void
  /** Looks whether Temporal still answers: the Temporal Workers themselves sit out every outage in silence. */
  check(): Promise<unknown>
}

/**
 * Connects, runs the Temporal Workers of all agents until `signal` is aborted or one of them dies, and leaves nothing behind.
 */
export async function runSession(options: ResolvedWorkerOptions, signal: AbortSignal, listener: SessionListener): Promise<void> {
  const connection = await connect(options, signal)
  if (!connection) return
  const over = new AbortController()
  let schedules: Promise<void> | undefined
  const runs: { readonly worker: Worker; readonly run: Promise<void> }[] = []
  try {
    for (const agent of options.agents) {
      await createTemporalWorkers({ options, connection, load: listener.load }, agent, (worker) => {
        const run = worker.run()
        // One that dies while the others are still being created is noticed below.
        run.catch(() => {})
        runs.push({ worker, run })
      })
    }
    listener.onRunning()
    void probe(listener, over.signal)
    schedules = keepSchedules(options, over.signal)
    await untilAborted(signal, Promise.race(runs.map(({ run }) => run)))
  } finally {
    over.abort()
    for (const { worker } of runs) if (worker.getState() === 'RUNNING') worker.shutdown()
    await Promise.allSettled([schedules, ...runs.map(({ run }) => run)])
    await connection.close()
  }
}

/** A connection, or undefined once `signal` is aborted: one that comes too late is closed. */
async function connect({ temporal }: ResolvedWorkerOptions, signal: AbortSignal): Promise<NativeConnection | undefined> {
  const connecting = NativeConnection.connect(connectionOptions(temporal))
  const connection = await untilAborted(signal, connecting)
  if (!connection) {
    connecting.then(
      (late) => late.close(),
      () => {},
    )
  }
  return connection
}

async function probe({ check }: SessionListener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(PROBE_INTERVAL_MS, undefined, { signal }).catch(() => {})
    if (!signal.aborted) await check()
  }
}
