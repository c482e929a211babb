import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskStore } from '@moorage/store'
import type { TaskWaker } from './client.js'
import type { Logger } from './logger.js'

/** How many wakes one round claims, and so how many may be on their way. */
const ROUND = 64
/** The time between two wakes: at most 200 a second. */
const PACE_MS = 5

export interface SweepOptions {
  readonly store: TaskStore
  /** The agents whose tasks are woken: those that this process runs. */
  readonly agents: readonly string[]
  readonly waker: Pick<TaskWaker, 'deliver'>
  readonly intervalMs: number
  readonly logger: Logger
  /** Whether a wake would arrive; a claim that cannot be followed by one would only put the task off. */
  readonly ready: () => boolean
}

/** Wakes again, until `signal` is aborted, the tasks whose wake is due: those whose wake was lost, or came while nothing could run it. */
export async function sweep(options: SweepOptions, signal: AbortSignal): Promise<void> {
  const { intervalMs, logger, ready } = options
  while (!signal.aborted) {
    let claimed = 0
    try {
      if (ready()) claimed = await sweepOnce(options, signal)
    } catch (error) {
      logger.warn({ err: error }, 'the sweep could not claim what is due; it tries again')
    }
    if (claimed < ROUND) await pause(intervalMs, signal)
  }
}

/** Claims what is due and wakes it; returns how many tasks that were. */
async function sweepOnce({ store, agents, waker }: SweepOptions, signal: AbortSignal): Promise<number> {
  const due = await store.claimDue(agents, ROUND)
  const sent: Promise<void>[] = []
  for (const { agent, taskId, unhandled } of due) {
    sent.push(waker.deliver(agent, taskId, unhandled))
    await pause(PACE_MS, signal)
  }
  await Promise.all(sent)
  return due.length
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
