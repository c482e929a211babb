/** Somebody who has read a task's log up to `after`, and wants to know of more. */
export interface Waiter {
  readonly after: number
  ring(): void
}

/** Who waits for which task. Told ids only: whoever is rung reads again. */
export class Bells {
  readonly #waiters = new Map<string, Set<Waiter>>()
  readonly #onOccupied: () => void
  readonly #onVacant: () => void

  /** `onOccupied` is called when the first waiter comes, `onVacant` when the last one has gone. */
  constructor(onOccupied: () => void, onVacant: () => void) {
    this.#onOccupied = onOccupied
    this.#onVacant = onVacant
  }

  /** The tasks that somebody waits for. */
  get taskIds(): readonly string[] {
    return [...this.#waiters.keys()]
  }

  /** Returns how to stop waiting. */
  listen(taskId: string, waiter: Waiter): () => void {
    const vacant = this.#waiters.size === 0
    const waiters = this.#waiters.get(taskId) ?? new Set()
    this.#waiters.set(taskId, waiters.add(waiter))
    if (vacant) this.#onOccupied()
    return () => this.#leave(taskId, waiter)
  }

  /** Rings for those who have not read up to `seq`. */
  ring(taskId: string, seq = Number.POSITIVE_INFINITY): void {
    for (const waiter of this.#waiters.get(taskId) ?? []) if (waiter.after < seq) waiter.ring()
  }

  ringAll(): void {
    for (const taskId of this.#waiters.keys()) this.ring(taskId)
  }

  #leave(taskId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(taskId)
    if (!waiters?.delete(waiter) || waiters.size > 0) return
    this.#waiters.delete(taskId)
    if (this.#waiters.size === 0) this.#onVacant()
  }
}
