import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailableError } from '@moorage/store'
import type { RunFence } from './run-fence.js'

const FIRST_DELAY_MS = 50
const LONGEST_DELAY_MS = 5000

/**
 * Asks the store again and again while it is away, so that an outage costs time and no work.
 * @throws StoppedError once the fence is raised.
 */
export async function persist<T>(fence: RunFence, ask: () => Promise<T>): Promise<T> {
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
    fence.check()
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      fence.noteOutage()
    }
    // An abort ends the sleep; the check above then says why.
    await sleep(delay, undefined, { signal: fence.signal }).catch(() => {})
  }
}
