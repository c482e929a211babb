import type { Deadline } from './deadline.js'

/**
 * One transaction of this process a task. Those that would wait for a row's lock wait here, and so without a connection: a busy task must not
 * take all of them.
 */
export class TaskLocks {
  /** What the last one who asked for a task resolves when it has done with it. */
  readonly #last = new Map<string, Promise<void>>()

  /** Runs `work` when everybody has done with the tasks who asked for one of them before. @throws StoreUnavailableError at the deadline. */
  async hold<T>(taskIds: readonly string[], deadline: Deadline, work: () => Promise<T>): Promise<T> {
    const before = Promise.all(taskIds.map(async (id) => this.#last.get(id)))
    let release = () => {}
    // Also after a wait that was given up: whoever comes next waits for those before as well.
    const done: Promise<void> = Promise.all([before, new Promise<void>((resolve) => (release = resolve))]).then(() =>
      this.#forget(taskIds, done),
    )
    // All at once: two who want the same tasks get them in the same order.
    for (const id of taskIds) this.#last.set(id, done)
    try {
      await deadline.wait(before)
      return await work()
    } finally {
      release()
    }
  }

  #forget(taskIds: readonly string[], done: Promise<void>): void {
    for (const id of taskIds) if (this.#last.get(id) === done) this.#last.delete(id)
  }
}
