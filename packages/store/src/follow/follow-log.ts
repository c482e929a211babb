import { setImmediate, setTimeout } from 'node:timers/promises'
import type { LogEntry } from '../log-entry.js'
import { StoreUnavailableError } from '../store-error.js'
import { UnknownTaskError } from '../unknown-task-error.js'

const PAGE = 64
/** The pause of a follower whose database is away. */
const RETRY_MS = 1000

/** The log of one task, as a follower needs it. */
export interface LogSource {
  readonly taskId: string
  /** Undefined: there is no such task. */
  read(after: number, limit: number): Promise<readonly LogEntry[] | undefined>
  /** Calls `ring` when there may be entries after `after`; returns how to stop. */
  listen(after: number, ring: () => void): () => void
  /** Whether the store is closed, so that nothing can be read again. */
  isClosed(): boolean
}

/**
 * The entries after `after`, then each new one, until `signal` is aborted. Reads only when asked for the next entry. The first read throws where the
 * database is away; later it waits until the database is back. Throws where there is no such task, or none any more: what is read of the log then ends
 * with an error, and not as if it were whole.
 */
export function followLog(source: LogSource, after: number, signal: AbortSignal): AsyncIterable<LogEntry> {
  return { [Symbol.asyncIterator]: () => new Follower(source, after, signal) }
}

/**
 * Written by hand since an async generator cannot be returned from while it waits. It listens only while it reads or waits, so that one
 * that is abandoned between two entries leaves nothing behind.
 */
class Follower implements AsyncIterator<LogEntry, undefined> {
  readonly #source: LogSource
  readonly #signal: AbortSignal
  #page: readonly LogEntry[] = []
  #index = 0
  #last: number
  #begun = false
  #returned = false
  #ring = () => {}
  #previous: Promise<unknown> = Promise.resolve()

  constructor(source: LogSource, after: number, signal: AbortSignal) {
    this.#source = source
    this.#last = after
    this.#signal = signal
  }

  next(): Promise<IteratorResult<LogEntry, undefined>> {
    const result = this.#previous.then(() => this.#pull())
    this.#previous = result.catch(() => this.return())
    return result
  }

  async return(): Promise<IteratorResult<LogEntry, undefined>> {
    this.#returned = true
    this.#page = []
    this.#ring()
    return { done: true, value: undefined }
  }

  get #over(): boolean {
    return this.#returned || this.#signal.aborted
  }

  async #pull(): Promise<IteratorResult<LogEntry, undefined>> {
    while (!this.#over) {
      const entry = this.#page[this.#index++]
      if (entry) {
        this.#last = entry.seq
        return { done: false, value: entry }
      }
      // A long catch-up must not keep the process from everything else.
      if (this.#page.length === PAGE) await setImmediate()
      await this.#turnPage()
    }
    return this.return()
  }

  #waitsFor(error: unknown): boolean {
    return this.#begun && error instanceof StoreUnavailableError && !this.#source.isClosed()
  }

  async #turnPage(): Promise<void> {
    if (this.#over) return
    const rung = new Promise<void>((resolve) => {
      this.#ring = resolve
    })
    // It listens before it reads: what is written after the read rings.
    const stop = this.#source.listen(this.#last, this.#ring)
    this.#signal.addEventListener('abort', this.#ring)
    try {
      const page = await this.#source.read(this.#last, PAGE)
      if (page === undefined) throw new UnknownTaskError(this.#source.taskId)
      this.#page = page
      this.#index = 0
      this.#begun = true
      if (this.#page.length === 0) await rung
    } catch (error) {
      if (this.#over) return
      if (!this.#waitsFor(error)) throw error
      await Promise.race([rung, setTimeout(RETRY_MS, undefined, { ref: false })])
    } finally {
      stop()
      this.#signal.removeEventListener('abort', this.#ring)
    }
  }
}
