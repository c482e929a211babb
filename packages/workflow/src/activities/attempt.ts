import type { Execution } from './execution.js'
import type { RunFence } from './run-fence.js'

/** What became of one attempt at the agent's code. */
export type Ended<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly cause: unknown }
  | { readonly kind: 'stopped' }

/** Runs the agent's code until it ends or must stop. Taking too long is the code's own fault; every other stop is not. */
export async function attempt<T>(fence: RunFence, execution: Execution, work: () => Promise<T>): Promise<Ended<T>> {
  try {
    const ended = await fence.race(work())
    if (ended) return { kind: 'done', value: ended.value }
  } catch (cause) {
    return { kind: 'failed', cause }
  }
  if (fence.reason !== 'timeout') return { kind: 'stopped' }
  return { kind: 'failed', cause: new Error(`it ran for more than ${execution.timeoutMs} ms`) }
}
