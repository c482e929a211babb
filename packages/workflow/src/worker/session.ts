import { setTimeout as sleep } from 'node:timers/promises'
import { NativeConnection, type Worker } from '@temporalio/worker'
import { connectionOptions } from '../temporal-options.js'
import { createTemporalWorkers } from './temporal-workers.js'
import type { ResolvedWorkerOptions } from './worker-options.js'

const PROBE_INTERVAL_MS = 2000
const PROBE_TIMEOUT_MS = 2000

/**
 * Connects, runs the Temporal Workers of all agents until `signal` is aborted or one of them dies, and leaves nothing behind.
 * `onAnswer` is told whether Temporal answers, now and again.
 */
export async function runSession(options: ResolvedWorkerOptions, signal: AbortSignal, onAnswer: (answers: boolean) => void): Promise<void> {
  const connection = await connect(options, signal)
  if (!connection) return
  const over = new AbortController()
  const runs: { readonly worker: Worker; readonly run: Promise<void> }[] = []
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    for (const agent of options.agents) {
      await createTemporalWorkers(options, agent, connection, (worker) => {
        const run = worker.run()
        // One that dies while the others are still being created is noticed below.
        run.catch(() => {})
        runs.push({ worker, run })
      })
    }
    onAnswer(true)
    void probe(connection, AbortSignal.any([signal, over.signal]), onAnswer)
    if (!signal.aborted) await Promise.race([stopped, ...runs.map(({ run }) => run)])
  } finally {
    over.abort()
    onAnswer(false)
    for (const { worker } of runs) if (worker.getState() === 'RUNNING') worker.shutdown()
    await Promise.allSettled(runs.map(({ run }) => run))
    await connection.close()
  }
}

/** A connection, or undefined once `signal` is aborted: one that comes too late is closed. */
async function connect({ temporal }: ResolvedWorkerOptions, signal: AbortSignal): Promise<NativeConnection | undefined> {
  const connecting = NativeConnection.connect(connectionOptions(temporal))
  const aborted = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
  const connection = signal.aborted ? undefined : await Promise.race([connecting, aborted])
  if (!connection) {
    connecting.then(
      (late) => late.close(),
      () => {},
    )
  }
  return connection
}

async function probe(connection: NativeConnection, signal: AbortSignal, onAnswer: (answers: boolean) => void): Promise<void> {
  while (!signal.aborted) {
    await sleep(PROBE_INTERVAL_MS, undefined, { signal }).catch(() => {})
    const answers = await connection
      .withDeadline(Date.now() + PROBE_TIMEOUT_MS, () => connection.workflowService.getSystemInfo({}))
      .then(
        () => true,
        () => false,
      )
    if (!signal.aborted) onAnswer(answers)
  }
}
