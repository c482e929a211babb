import { isTerminal } from '@moorage/protocol'
import type { Fence, LogEntry } from '@moorage/store'
import { type Execution, stopReason } from './execution.js'
import { persist } from './persist.js'
import type { ActivityPorts } from './ports.js'
import { RunFence, StoppedError } from './run-fence.js'

export interface SupervisionOptions {
  /** Where in the task's log to start. */
  readonly cursor: number
  /** Whether the entry says that another attempt writes now. */
  readonly superseded: (entry: LogEntry) => boolean
}

/** One run of the agent's code under supervision. */
export interface Supervision {
  readonly fence: RunFence
  /** The code has returned: its time can no longer be up, and what the log says from now on is the run's own end. */
  conclude(): void
  /** Ends the supervision, and the run with it. */
  release(): void
}

/**
 * Heartbeats, puts off the task's next wake, and raises the fence when the time is up, the Activity is cancelled or the task's log says
 * that this run may not write any more. Cancellation so does not depend on heartbeats.
 */
export function supervise(ports: ActivityPorts, taskId: string, execution: Execution, options: SupervisionOptions): Supervision {
  const fence = new RunFence()
  const following = new AbortController()
  const cancelled = (): void => fence.raise(stopReason(execution))
  const timeout = setTimeout(() => fence.raise('timeout'), execution.timeoutMs)
  const pulse = setInterval(() => beat(ports, taskId, execution), execution.beatMs)
  execution.cancellation.addEventListener('abort', cancelled, { once: true })
  if (execution.cancellation.aborted) cancelled()
  void follow(ports, taskId, fence, following.signal, options)
  const conclude = (): void => {
    clearTimeout(timeout)
    following.abort()
  }
  const release = (): void => {
    conclude()
    clearInterval(pulse)
    execution.cancellation.removeEventListener('abort', cancelled)
    fence.raise('over')
  }
  return { fence, conclude, release }
}

function beat({ store, logger }: ActivityPorts, taskId: string, execution: Execution): void {
  execution.beat()
  store
    .transact([taskId], (tx) => tx.postponeWake(taskId), { priority: 'append' })
    .catch((error: unknown) => logger.debug({ err: error, taskId }, 'could not put off the next wake of the task'))
}

async function follow(
  { store, logger }: ActivityPorts,
  taskId: string,
  fence: RunFence,
  signal: AbortSignal,
  { cursor, superseded }: SupervisionOptions,
): Promise<void> {
  let last = cursor
  const watch = async (): Promise<void> => {
    for await (const entry of store.follow(taskId, last, signal)) {
      // What is read after the end of following may be the run's own end.
      if (signal.aborted) return
      last = entry.seq
      if (isTerminal(entry.state)) return fence.raise('terminal')
      if (superseded(entry)) return fence.raise('stale')
    }
  }
  try {
    await persist(fence, watch)
  } catch (error) {
    // The store's own fence still holds: what this run writes after it was overtaken is refused.
    if (!(error instanceof StoppedError)) logger.error({ err: error, taskId }, 'cannot follow the log of the task')
  }
}

/** Whether an entry opens another turn, or another attempt, than the one that runs. */
export function supersedes(fence: Fence): (entry: LogEntry) => boolean {
  return ({ payload }) =>
    'internal' in payload &&
    payload.internal.kind === 'turn' &&
    (payload.internal.turn !== fence.turn || payload.internal.attempt !== fence.attempt)
}
