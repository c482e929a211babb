import { setTimeout } from 'node:timers/promises'
import { isBusy, toStoreError } from './database-error.js'

const SHORTEST_PAUSE_MS = 1
const LONGEST_PAUSE_MS = 5

export interface BusyRetry {
  /** How long to try, in milliseconds. */
  readonly deadlineMs: number
  /** From 0 to 1: two processes that collide must not collide again. */
  readonly random: () => number
}

/** Tries again while another connection holds the lock. The thread is never blocked: SQLite's own busy timeout would. */
export async function retryBusy<T>(attempt: () => Promise<T>, { deadlineMs, random }: BusyRetry): Promise<T> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const left = deadline - performance.now()
      if (!isBusy(error) || left <= 0) throw toStoreError(error)
      await setTimeout(Math.min(busyPause(random), left))
    }
  }
}

/** Milliseconds to wait before the next try: short, since a busy writer lets go of the lock for a moment only. */
export function busyPause(random: () => number): number {
  return SHORTEST_PAUSE_MS + (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS) * random()
}
