import { isTerminal } from '@moorage/protocol'
import { type Fence, type LogEntry, UnknownTaskError } from '@moorage/store'
import { type Execution, stopReason } from './execution.js'
import { persist } from './persist.js'
import type { ActivityPorts } from './ports.js'
import { RunFence, StoppedError } from './run-fence.js'

/** How many entries of the log are read at once. */
const PAGE = 100

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
  const watch = new LogWatch(ports, taskId, options)
  const fence = new RunFence((raised) => watch.look(raised))
  const following = new AbortController()
  const cancelled = (): void => fence.raise(stopReason(execution))
  const timeout = setTimeout(() => fence.expire(), execution.timeoutMs)
  const pulse = setInterval(() => beat(ports, taskId, execution), execution.beatMs)
  execution.cancellation.addEventListener('abort', cancelled, { once: true })
  if (execution.cancellation.aborted) cancelled()
  void watch.follow(fence, following.signal)
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

/** Reads a task's log for what ends a run. */
class LogWatch {
  readonly #ports: ActivityPorts
  readonly #taskId: string
  readonly #superseded: SupervisionOptions['superseded']
  #last: number

  constructor(ports: ActivityPorts, taskId: string, { cursor, superseded }: SupervisionOptions) {
    this.#ports = ports
    this.#taskId = taskId
    this.#superseded = superseded
    this.#last = cursor
  }

  /** Sees every entry as it comes, until `signal` is aborted or the fence is raised. */
  async follow(fence: RunFence, signal: AbortSignal): Promise<void> {
    const { store, logger } = this.#ports
    const watch = async (): Promise<void> => {
      for await (const entry of store.follow(this.#taskId, this.#last, signal)) {
        // What is read after the end of following may be the run's own end.
        if (signal.aborted || this.#see(entry, fence)) return
      }
    }
    try {
      await persist(fence, watch)
    } catch (error) {
      // Who is gone has ended.
      if (error instanceof UnknownTaskError) fence.raise('terminal')
      // The store's own fence still holds: what this run writes after it was overtaken is refused.
      else if (!(error instanceof StoppedError)) logger.error({ err: error, taskId: this.#taskId }, 'cannot follow the log of the task')
    }
  }

  /** Sees what has been written until now. */
  async look(fence: RunFence): Promise<void> {
    for (;;) {
      const entries = await persist(fence, () => this.#ports.store.read(this.#taskId, this.#last, PAGE))
      if (entries.some((entry) => this.#see(entry, fence)) || entries.length < PAGE) return
    }
  }

  #see(entry: LogEntry, fence: RunFence): boolean {
    this.#last = Math.max(this.#last, entry.seq)
    if (isTerminal(entry.state)) fence.raise('terminal')
    else if (this.#superseded(entry)) fence.raise('stale')
    return fence.reason !== undefined
  }
}

/** Whether an entry opens another turn, or another attempt, than the one that runs. */
export function supersedes(fence: Fence): (entry: LogEntry) => boolean {
  return ({ payload }) =>
    'internal' in payload &&
    payload.internal.kind === 'turn' &&
    (payload.internal.turn !== fence.turn || payload.internal.attempt !== fence.attempt)
}
