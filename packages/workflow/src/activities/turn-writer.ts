import { setImmediate } from 'node:timers/promises'
import type { AppendResult, TurnWrite } from '@moorage/store'
import { persist } from './persist.js'
import { type RunFence, StoppedError } from './run-fence.js'
import { weigh } from './weigh.js'

/** How long chunks are gathered after a batch was sent. */
const GATHER_MS = 50
/** From this weight on a batch is sent at once, and writers wait while the one before is being written. */
const BATCH_BYTES = 32 * 1024

export interface TurnWriterOptions {
  readonly fence: RunFence
  /** The number of the last batch that is recorded. */
  readonly batch: number
  readonly append: (batch: number, writes: readonly TurnWrite[]) => Promise<{ readonly result: AppendResult }>
}

interface Queued {
  readonly write: TurnWrite
  readonly bytes: number
}

interface Waiting {
  readonly until: () => boolean
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

/**
 * Records what a turn writes, in the order of the calls and in numbered batches, one at a time. A batch is frozen once it has been sent: it
 * is repeated as it was, under the same number, until the store has answered.
 */
export class TurnWriter {
  readonly #options: TurnWriterOptions
  #batch: number
  #queue: Queued[] = []
  #bytes = 0
  #pushed = 0
  #taken = 0
  #written = 0
  #sending = false
  #sentAt = Number.NEGATIVE_INFINITY
  #hurry = (): void => {}
  #waiting: Waiting[] = []
  #failure: { readonly cause: unknown } | undefined

  constructor(options: TurnWriterOptions) {
    this.#options = options
    this.#batch = options.batch
    const { fence } = options
    fence.signal.addEventListener('abort', () => this.#fail(fence.signal.reason), { once: true })
  }

  /** Takes a write; resolves at once while there is room, else when the write is on its way, behind the batch before. */
  push(write: TurnWrite): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.cause)
    const bytes = weigh(write)
    this.#queue.push({ write, bytes })
    this.#bytes += bytes
    this.#pushed += 1
    if (!this.#sending) void this.#drain()
    if (this.#bytes < BATCH_BYTES) return Promise.resolve()
    const own = this.#pushed
    this.#hurry()
    return this.#until(() => this.#taken >= own)
  }

  /** Resolves when everything that was taken until now is recorded. */
  flush(): Promise<void> {
    const target = this.#pushed
    this.#hurry()
    return this.#until(() => this.#written >= target)
  }

  async #drain(): Promise<void> {
    this.#sending = true
    try {
      while (this.#queue.length > 0) {
        await this.#gather()
        await this.#send(this.#take())
      }
    } catch (cause) {
      this.#fail(cause)
    }
    this.#sending = false
  }

  async #send(writes: readonly TurnWrite[]): Promise<void> {
    const { fence, append } = this.#options
    this.#batch += 1
    this.#sentAt = performance.now()
    const { result } = await persist(fence, () => append(this.#batch, writes))
    if (result === 'stale' || result === 'terminal') {
      fence.raise(result)
      throw new StoppedError(result)
    }
    this.#written += writes.length
    this.#admit()
  }

  /** Waits until the time to gather is over or somebody waits for the writes. The first chunk after a pause so goes out at once. */
  async #gather(): Promise<void> {
    const wait = this.#sentAt + GATHER_MS - performance.now()
    // What the code writes in one go still goes together.
    if (wait <= 0 || this.#waiting.length > 0) return setImmediate()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait)
      this.#hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** The next batch: writes up to the weight of one, and at least one. */
  #take(): readonly TurnWrite[] {
    const writes: TurnWrite[] = []
    for (let bytes = 0; bytes < BATCH_BYTES; ) {
      const next = this.#queue[writes.length]
      if (next === undefined) break
      writes.push(next.write)
      bytes += next.bytes
      this.#bytes -= next.bytes
    }
    this.#queue = this.#queue.slice(writes.length)
    this.#taken += writes.length
    this.#admit()
    return writes
  }

  #until(until: () => boolean): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.cause)
    if (until()) return Promise.resolve()
    return new Promise((resolve, reject) => this.#waiting.push({ until, resolve, reject }))
  }

  #admit(): void {
    const done = this.#waiting.filter((entry) => entry.until())
    this.#waiting = this.#waiting.filter((entry) => !done.includes(entry))
    for (const entry of done) entry.resolve()
  }

  #fail(cause: unknown): void {
    this.#failure ??= { cause }
    const waiting = this.#waiting
    this.#waiting = []
    this.#queue = []
    for (const entry of waiting) entry.reject(this.#failure.cause)
  }
}
