import { setTimeout as sleep } from 'node:timers/promises'
import type { DueTask, TaskStore } from '@moorage/store'
import type { TaskWaker } from './client.js'
import type { Logger } from './logger.js'

/** How many wakes one round claims, and so how many may be on their way. */
const ROUND = 64
/** The time between two wakes: at most 200 a second. */
const PACE_MS = 5

export interface SweepOptions {
  readonly store: Pick<TaskStore, 'claimDue'>
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
  const { intervalMs, ready } = options
  const claim = createClaim(options)
  while (!signal.aborted) {
    const claimed = ready() ? await deliverAll(options, await claim(), signal) : 0
    if (claimed < ROUND) await pause(intervalMs, signal)
  }
}

/** Claims what is due; nothing while the store does not answer, which is told once when it begins and once when it ends. */
function createClaim({ store, agents, logger }: SweepOptions): () => Promise<readonly DueTask[]> {
  let away = false
  return async () => {
    try {
      const due = await store.claimDue(agents, ROUND)
      if (away) logger.info({}, 'the store answers again; the sweep goes on')
      away = false
      return due
    } catch (error) {
      logger[away ? 'debug' : 'warn']({ err: error }, 'the store does not answer; the sweep waits for it')
      away = true
      return []
    }
  }
}

/** Wakes what was claimed; returns how many tasks that were. */
async function deliverAll({ waker }: SweepOptions, due: readonly DueTask[], signal: AbortSignal): Promise<number> {
  const sent: Promise<void>[] = []
  for (const { agent, taskId, unhandled } of due) {
    sent.push(waker.deliver(agent, taskId, unhandled))
    await pause(PACE_MS, signal)
  }
  await Promise.allSettled(sent)
  return due.length
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
