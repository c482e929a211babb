import type { Logger } from 'pino'

/** What was begun and must be ended, in reverse order. */
export interface Teardown {
  /** Adds how to end what has just begun. */
  add(name: string, end: () => Promise<void> | void): void
  /** What is being ended at this moment; undefined before and after. */
  ending(): string | undefined
  /** Ends everything, the last begun first. What fails is told and does not keep the rest. A second call waits for the first. */
  run(): Promise<void>
}

/** @param onFailure told of each end that threw */
export function createTeardown(onFailure: (name: string, error: unknown) => void): Teardown {
  const ends: { readonly name: string; readonly end: () => Promise<void> | void }[] = []
  let running: Promise<void> | undefined
  let ending: string | undefined

  async function endAll(): Promise<void> {
    for (let last = ends.pop(); last !== undefined; last = ends.pop()) {
      ending = last.name
      try {
        await last.end()
      } catch (error) {
        onFailure(last.name, error)
      }
    }
    ending = undefined
  }

  return {
    add: (name, end) => void ends.push({ name, end }),
    ending: () => ending,
    run: () => (running ??= endAll()),
  }
}

/** Starts what `start` starts. Where it throws, what has begun by then is ended again before this rejects. */
export async function startOrEnd<T>(logger: Logger, start: (teardown: Teardown) => Promise<T>): Promise<T> {
  const teardown = createTeardown((name, error) => logger.error({ err: error, part: name }, 'a part did not stop as it should'))
  try {
    return await start(teardown)
  } catch (error) {
    await teardown.run()
    throw error
  }
}
