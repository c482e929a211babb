/** How many entries are given out in one turn of the event loop: some ten milliseconds, with what each of them then costs on its way to a client. */
export const ENTRIES_A_TURN = 512

/**
 * The turns of the event loop, shared by all who give entries to followers. However many follow, or come back at once, the process gets to
 * everything else in between: its requests, its heartbeats, its Workflow Tasks.
 */
export class Turns {
  readonly #waiting: { readonly entries: number; readonly begin: () => void }[] = []

  /** Resolves in a turn of the event loop with room for so many entries; one that has more room than that takes the next who wait, too. */
  next(entries: number): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ entries, begin })
      if (this.#waiting.length === 1) setImmediate(() => this.#turn())
    })
  }

  #turn(): void {
    for (let room = ENTRIES_A_TURN; room > 0; ) {
      const waiting = this.#waiting.shift()
      if (!waiting) return
      room -= waiting.entries
      waiting.begin()
    }
    if (this.#waiting.length > 0) setImmediate(() => this.#turn())
  }
}
