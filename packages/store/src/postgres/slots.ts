import { type Priority, PriorityQueue, type Queued } from '../priority-queue.js'
import type { Deadline } from './deadline.js'

interface Waiting extends Queued {
  readonly grant: () => void
}

/** How many may work at once. Who waits is served accepts first, and turned away when the time is up. */
export class Slots {
  readonly #queue = new PriorityQueue<Waiting>()
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /** Returns how to give the slot back. @throws StoreUnavailableError at the deadline. */
  async take(priority: Priority, deadline: Deadline): Promise<() => void> {
    if (this.#free === 0) await this.#wait(priority, deadline)
    else this.#free--
    return () => this.#giveBack()
  }

  #wait(priority: Priority, deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      // A timer may be early by less than a millisecond.
      const timer = setTimeout(() => this.#queue.rejectOverdue(Math.max(performance.now(), deadline.at)), deadline.left)
      const settle = (how: () => void) => {
        clearTimeout(timer)
        how()
      }
      this.#queue.add(priority, {
        deadline: deadline.at,
        grant: () => settle(resolve),
        reject: (error) => settle(() => reject(error)),
      })
    })
  }

  #giveBack(): void {
    const next = this.#queue.take()
    if (next) next.grant()
    else this.#free++
  }
}
