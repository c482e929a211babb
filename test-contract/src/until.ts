import { setTimeout } from 'node:timers/promises'

/** Resolves with the first value that is neither false nor undefined; asks ten times a second. The test's own timeout ends it. */
export async function until<T>(ask: () => Promise<T | false | undefined> | T | false | undefined): Promise<T> {
  for (;;) {
    const value = await ask()
    if (value !== false && value !== undefined) return value
    await setTimeout(100)
  }
}
