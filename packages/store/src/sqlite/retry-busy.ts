import { setTimeout } from 'node:timers/promises'
import { isBusy, toStoreError } from './database-error.js'

const LONGEST_PAUSE_MS = 40

export interface BusyRetry {
  /** How long to try, in milliseconds. */
  readonly deadlineMs: number
  /** From 0 to 1: two processes that collide must not collide again. */
  readonly random: () => number
}

/** Tries again while another connection holds the lock. The thread is never blocked: SQLite's own busy timeout would. */
export async function retryBusy<T>(attempt: () => Promise<T>, { deadlineMs, random }: BusyRetry): Promise<T> {
  const deadline = performance.now() + deadlineMs
  for (let tries = 0; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      const left = deadline - performance.now()
      if (!isBusy(error) || left <= 0) throw toStoreError(error)
      await setTimeout(Math.min(busyPause(tries, random), left))
    }
  }
}

/** Milliseconds to wait before the next try. */
export function busyPause(tries: number, random: () => number): number {
  return Math.min(2 ** tries, LONGEST_PAUSE_MS) * (0.5 + 0.5 * random())
}
