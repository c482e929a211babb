import type { LogEntry } from '../log-entry.js'
import type { StoredEntry } from '../read/stored-entry.js'
import { SlowFollowerError } from '../slow-follower-error.js'
import type { FollowCut } from '../task-store.js'
import type { FollowedTasks } from './followed-tasks.js'
import { type LogPage, type LogSource, mayComeBack, Pause, readPage } from './log-source.js'
import type { Seat } from './task-reader.js'
import type { Turns } from './turns.js'

/** What may wait for one follower: where it is as much, the next entry makes it read for itself again. */
const MAX_ENTRIES = 1000
const MAX_BYTES = 4 * 1024 * 1024
const EMPTY: LogPage = { entries: [], full: false }

export interface FollowerOptions {
  readonly source: LogSource
  readonly turns: Turns
  readonly readers: FollowedTasks
  readonly taskId: string
  readonly after: number
  readonly signal: AbortSignal
  readonly cut: FollowCut | undefined
}

/**
 * One who follows a log. It reads for itself what is already there, at its own pace, then takes a seat at the reader of the task, which waits for
 * nobody. One that falls behind leaves its seat and reads for itself again. Written by hand since an async generator cannot be returned from while
 * it waits.
 */
export class Follower implements AsyncIterator<LogEntry, undefined>, Seat {
  readonly #options: FollowerOptions
  readonly #pause = new Pause()
  readonly #close = () => this.#leave()
  /** What it has read for itself. */
  #page: LogPage = EMPTY
  #index = 0
  /** What the reader gave: everything after `#joined`. */
  #given: StoredEntry[] = []
  #bytes = 0
  #joined = Number.POSITIVE_INFINITY
  #last: number
  #pulls = 0
  #cutting: NodeJS.Timeout | undefined
  #listens = false
  #begun = false
  #over = false
  #failure: { readonly error: unknown } | undefined
  #leaveSeat = () => {}
  #previous: Promise<unknown> = Promise.resolve()

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#last = options.after
  }

  next(): Promise<IteratorResult<LogEntry, undefined>> {
    this.#pulls += 1
    clearTimeout(this.#cutting)
    const result = this.#previous.then(() => this.#pull()).finally(() => this.#taken())
    this.#previous = result.catch(this.#close)
    return result
  }

  async return(): Promise<IteratorResult<LogEntry, undefined>> {
    this.#leave()
    return { done: true, value: undefined }
  }

  offer(entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      if (this.#given.length >= MAX_ENTRIES || this.#bytes >= MAX_BYTES) {
        this.#fallBehind()
        return
      }
      this.#given.push(entry)
      this.#bytes += entry.bytes
    }
    this.#pause.end()
  }

  fail(error: unknown): void {
    this.#failure = { error }
    this.#pause.end()
  }

  async #pull(): Promise<IteratorResult<LogEntry, undefined>> {
    this.#begin()
    while (!this.#over) {
      const entry = this.#take()
      if (entry) {
        this.#last = entry.seq
        return { done: false, value: entry }
      }
      if (this.#failure) break
      if (this.#last >= this.#joined) await this.#pause.endless()
      else await this.#turnPage()
    }
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure.error
    return this.return()
  }

  #take(): LogEntry | undefined {
    const own = this.#page.entries[this.#index++]
    if (own || this.#last < this.#joined) return own?.entry
    // What it had read for itself already is passed over.
    for (let given = this.#given.shift(); given; given = this.#given.shift()) {
      this.#bytes -= given.bytes
      if (given.entry.seq > this.#last) return given.entry
    }
    return undefined
  }

  async #turnPage(): Promise<void> {
    const { source, turns, taskId } = this.#options
    const joined = this.#joined
    try {
      const page = await readPage(source, taskId, this.#last)
      // A long catch-up must not keep the process from everything else.
      if (page.full) await turns.next(page.entries.length)
      if (this.#over) return
      this.#page = page
      this.#index = 0
      this.#begun = true
      if (!page.full) this.#join(page.entries.at(-1)?.entry.seq ?? this.#last)
      // What the reader has seen is not there any more: the log has begun anew.
      if (page.entries.length === 0 && joined === this.#joined) await this.#waitOut()
    } catch (error) {
      if (this.#over) return
      if (!this.#begun || !mayComeBack(source, error)) throw error
      await this.#waitOut()
    }
  }

  /** Where the reader is further than this follower has read, what lies between is still read from the log: it is there already. */
  #join(end: number): void {
    if (this.#joined !== Number.POSITIVE_INFINITY) return
    const { readers, taskId } = this.#options
    const { head, leave } = readers.join(taskId, end, this)
    this.#joined = head
    this.#leaveSeat = leave
  }

  async #waitOut(): Promise<void> {
    const { source, taskId } = this.#options
    const stop = source.listen(taskId, { after: this.#last, ring: () => this.#pause.end() })
    await this.#pause.retry()
    stop()
  }

  /** The log keeps what it has not taken. */
  #fallBehind(): void {
    this.#leaveSeat()
    this.#joined = Number.POSITIVE_INFINITY
    this.#given = []
    this.#bytes = 0
    this.#pause.end()
    this.#expectTaken()
  }

  #taken(): void {
    this.#pulls -= 1
    // With a seat it is known what waits for it.
    if (this.#last < this.#joined) this.#expectTaken()
  }

  /** There is more in the log: it is to be taken in time. Who asks for an entry takes it. */
  #expectTaken(): void {
    const { cut } = this.#options
    clearTimeout(this.#cutting)
    if (cut && this.#pulls === 0 && !this.#over) this.#cutting = setTimeout(() => this.#cut(cut), cut.afterMs)
  }

  #cut({ onCut }: FollowCut): void {
    this.#failure = { error: new SlowFollowerError(this.#options.taskId, this.#last) }
    this.#leave()
    onCut()
  }

  #begin(): void {
    if (this.#listens || this.#over) return
    const { signal } = this.#options
    this.#listens = true
    if (signal.aborted) this.#leave()
    else signal.addEventListener('abort', this.#close)
  }

  /** Lets go of everything, as often as it is called. */
  #leave(): void {
    this.#over = true
    clearTimeout(this.#cutting)
    this.#options.signal.removeEventListener('abort', this.#close)
    this.#leaveSeat()
    this.#page = EMPTY
    this.#given = []
    this.#bytes = 0
    this.#pause.end()
  }
}
