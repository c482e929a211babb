import type { AppendOutcome } from '@moorage/store'
import type { Execution } from './execution.js'
import { type FailureType, failure } from './failures.js'
import { MisuseError } from './misuse-error.js'
import { type ActivityPorts, MAX_ATTEMPTS } from './ports.js'
import { retreat } from './retreat.js'
import type { RunFence } from './run-fence.js'
import { type SupervisionOptions, supervise } from './supervise.js'

/** One attempt at a turn or a command. */
export interface Attempt<T> extends SupervisionOptions {
  readonly taskId: string
  /** Runs the agent's code, which may take `execution.timeoutMs`. */
  readonly run: (fence: RunFence) => Promise<T>
  /** Records what the code returned; outages it sits out. What the store refuses with an error is the fault of what was returned. */
  readonly record: (fence: RunFence, value: T) => Promise<AppendOutcome>
  /** Counts an error of the code: one of `maxAttempts` that it may have. */
  readonly fail: (cause: unknown, maxAttempts: number) => Promise<AppendOutcome & { readonly retry: boolean }>
  /** Why the Activity is to be run again after an error. */
  readonly failureType: FailureType
}

/** Runs the agent's code behind the fence, and records what it came to. */
export async function runAttempt<T>(ports: ActivityPorts, execution: Execution, attempt: Attempt<T>): Promise<AppendOutcome> {
  const { fence, conclude, release } = supervise(ports, attempt.taskId, execution, attempt)
  const work = async (): Promise<AppendOutcome> => {
    const value = await attempt.run(fence)
    conclude()
    return attempt.record(fence, value)
  }
  try {
    const ended = await endOf(work(), fence, execution)
    if (!ended) return await retreat(ports, attempt.taskId, execution, fence.reason)
    if ('value' in ended) return ended.value
    fence.raise('over')
    const outcome = await attempt.fail(ended.cause, ended.cause instanceof MisuseError ? 1 : MAX_ATTEMPTS)
    if (outcome.retry) throw failure(attempt.failureType)
    return outcome
  } finally {
    release()
  }
}

type Ended<T> = { readonly value: T } | { readonly cause: unknown }

/** What the work comes to; undefined when it must stop. Taking too long, with a store that was there, is the code's own fault; every other stop is not. */
async function endOf<T>(work: Promise<T>, fence: RunFence, execution: Execution): Promise<Ended<T> | undefined> {
  try {
    const ended = await fence.race(work)
    if (ended || fence.reason !== 'timeout') return ended
  } catch (cause) {
    return { cause }
  }
  return { cause: new Error(`it ran for more than ${execution.timeoutMs} ms`) }
}
