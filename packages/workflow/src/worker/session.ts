import { setTimeout as sleep } from 'node:timers/promises'
import { NativeConnection, type Worker } from '@temporalio/worker'
import { connectionOptions, namespaceOf } from '../temporal-options.js'
import { createTemporalWorkers } from './temporal-workers.js'
import type { ResolvedWorkerOptions } from './worker-options.js'

const PROBE_INTERVAL_MS = 2000
/** How long Temporal may take to answer. */
const ANSWER_MS = 2000

/** Told whether Temporal answers, and where it is known, why not. */
export type AnswerListener = (answers: boolean, cause?: unknown) => void

/**
 * Connects, runs the Temporal Workers of all agents until `signal` is aborted or one of them dies, and leaves nothing behind.
 */
export async function runSession(options: ResolvedWorkerOptions, signal: AbortSignal, onAnswer: AnswerListener): Promise<void> {
  const connection = await connect(options, signal)
  if (!connection) return
  const over = new AbortController()
  const runs: { readonly worker: Worker; readonly run: Promise<void> }[] = []
  try {
    // A Worker that cannot be created leaves its threads behind: whatever would stop it has to show before.
    const namespace = namespaceOf(options.temporal)
    if (!(await untilAborted(signal, connection.workflowService.describeNamespace({ namespace })))) return
    for (const agent of options.agents) {
      await createTemporalWorkers(options, agent, connection, (worker) => {
        const run = worker.run()
        // One that dies while the others are still being created is noticed below.
        run.catch(() => {})
        runs.push({ worker, run })
      })
    }
    onAnswer(true)
    void probe(connection, over.signal, onAnswer)
    await untilAborted(signal, Promise.race(runs.map(({ run }) => run)))
  } catch (error) {
    onAnswer(false, error)
    throw error
  } finally {
    over.abort()
    for (const { worker } of runs) if (worker.getState() === 'RUNNING') worker.shutdown()
    await Promise.allSettled(runs.map(({ run }) => run))
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

/** What `work` comes to, or undefined as soon as `signal` is aborted. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  let stop = (): void => {}
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return signal.aborted ? undefined : await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function probe(connection: NativeConnection, signal: AbortSignal, onAnswer: AnswerListener): Promise<void> {
  while (!signal.aborted) {
    await sleep(PROBE_INTERVAL_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    // A call repeats itself for longer than anybody should believe that Temporal is there.
    const silence = setTimeout(() => onAnswer(false), ANSWER_MS)
    const answers = await connection.workflowService.getSystemInfo({}).then(
      () => true,
      () => false,
    )
    clearTimeout(silence)
    if (!signal.aborted) onAnswer(answers)
  }
}
