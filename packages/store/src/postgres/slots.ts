import { DeadlineError } from '../deadline-error.js'
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
      // Whoever comes later may have to be turned away sooner: each has a timer.
      const timer = setTimeout(() => {
        this.#queue.remove(waiting)
        reject(new DeadlineError())
      }, deadline.left)
      const settle = (how: () => void) => {
        clearTimeout(timer)
        how()
      }
      const waiting: Waiting = {
        deadline: deadline.at,
        grant: () => settle(resolve),
        reject: (error) => settle(() => reject(error)),
      }
      this.#queue.add(priority, waiting)
    })
  }

  #giveBack(): void {
    const now = performance.now()
    let next = this.#queue.take()
    while (next && next.deadline <= now) {
      next.reject(new DeadlineError())
      next = this.#queue.take()
    }
    if (next) next.grant()
    else this.#free++
  }
}
