import { DeadlineError } from './deadline-error.js'
import type { StoreUnavailableError } from './store-error.js'

/** After so many accepts in a row, one append that waits has its turn. */
const ACCEPTS_IN_A_ROW = 16

export type Priority = 'accept' | 'append'

/** Something that waits. */
export interface Queued {
  /** On the clock of `performance.now()`. */
  readonly deadline: number
  readonly reject: (error: unknown) => void
}

/** What waits to be written: accepts first, since clients wait for them, each kind in the order in which it came. */
export class PriorityQueue<Job extends Queued> {
  readonly #accepts: Job[] = []
  readonly #appends: Job[] = []
  #acceptsInARow = 0

  get size(): number {
    return this.#accepts.length + this.#appends.length
  }

  /** Infinity when nothing waits. To be asked where all wait equally long, so that the first of a kind is the first whose time is up. */
  get earliestDeadline(): number {
    return Math.min(this.#accepts[0]?.deadline ?? Number.POSITIVE_INFINITY, this.#appends[0]?.deadline ?? Number.POSITIVE_INFINITY)
  }

  add(priority: Priority, job: Job): void {
    if (priority === 'accept') this.#accepts.push(job)
    else this.#appends.push(job)
  }

  take(): Job | undefined {
    const acceptsHadTheirTurn = this.#acceptsInARow >= ACCEPTS_IN_A_ROW && this.#appends.length > 0
    if (this.#accepts.length > 0 && !acceptsHadTheirTurn) {
      this.#acceptsInARow++
      return this.#accepts.shift()
    }
    this.#acceptsInARow = 0
    return this.#appends.shift()
  }

  remove(job: Job): void {
    for (const jobs of [this.#accepts, this.#appends]) {
      const index = jobs.indexOf(job)
      if (index >= 0) jobs.splice(index, 1)
    }
  }

  /** To be called where all wait equally long. */
  rejectOverdue(now: number): void {
    for (const jobs of [this.#accepts, this.#appends]) {
      while (jobs[0] && jobs[0].deadline <= now) {
        jobs.shift()?.reject(new DeadlineError())
      }
    }
  }

  rejectAll(error: StoreUnavailableError): void {
    for (const job of [...this.#accepts.splice(0), ...this.#appends.splice(0)]) job.reject(error)
  }
}
