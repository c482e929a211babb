import type { StoredEntry } from '../read/stored-entry.js'
import type { Waiter } from './bells.js'
import { type LogSource, mayComeBack, Pause, readPage } from './log-source.js'
import { ENTRIES_A_TURN, type Turns } from './turns.js'

/** Somebody to whom a reader gives what it reads. */
export interface Seat {
  /** Takes entries at once, in the order of the log. */
  offer(entries: readonly StoredEntry[]): void
  /** There will be no more. */
  fail(error: unknown): void
}

/** The one reader of a task's log in this process: reads each new entry once, for everybody who follows, and waits for nobody. */
export class TaskReader implements Waiter {
  readonly #source: LogSource
  readonly #turns: Turns
  readonly #taskId: string
  readonly #onVacant: () => void
  readonly #seats = new Set<Seat>()
  readonly #pause = new Pause()
  readonly #stop: () => void
  #head: number
  #rung = true

  /** Reads what comes after `head`, from now on until the last seat is left or the log ends; then it calls `onVacant`, once. */
  constructor(source: LogSource, turns: Turns, taskId: string, head: number, onVacant: () => void) {
    this.#source = source
    this.#turns = turns
    this.#taskId = taskId
    this.#head = head
    this.#onVacant = onVacant
    this.#stop = source.listen(taskId, this)
  }

  /** The last entry that was given to everybody. */
  get after(): number {
    return this.#head
  }

  ring(): void {
    this.#rung = true
    this.#pause.end()
  }

  /** From now on the seat gets what comes after the number that is returned. */
  join(seat: Seat): number {
    const first = this.#seats.size === 0
    this.#seats.add(seat)
    if (first) void this.#run()
    return this.#head
  }

  leave(seat: Seat): void {
    if (this.#seats.delete(seat) && this.#seats.size === 0) this.#vacate()
  }

  async #run(): Promise<void> {
    while (this.#seats.size > 0) {
      try {
        await this.#turnPage()
      } catch (error) {
        if (!mayComeBack(this.#source, error)) return this.#fail(error)
        await this.#pause.retry()
      }
    }
  }

  async #turnPage(): Promise<void> {
    this.#rung = false
    const { entries, full } = await readPage(this.#source, this.#taskId, this.#head)
    this.#head = entries.at(-1)?.entry.seq ?? this.#head
    if (entries.length > 0) await this.#give(entries)
    // Those who take at once must not be found slow.
    if (full) await this.#turns.next(entries.length)
    else if (!this.#rung && this.#seats.size > 0) await this.#pause.endless()
  }

  /** Who joins in the meantime begins after these. */
  async #give(entries: readonly StoredEntry[]): Promise<void> {
    let given = 0
    for (const seat of [...this.#seats]) {
      if (given >= ENTRIES_A_TURN) {
        await this.#turns.next(given)
        given = 0
      }
      if (!this.#seats.has(seat)) continue
      seat.offer(entries)
      given += entries.length
    }
  }

  #fail(error: unknown): void {
    const seats = [...this.#seats]
    if (seats.length === 0) return
    this.#seats.clear()
    this.#vacate()
    for (const seat of seats) seat.fail(error)
  }

  #vacate(): void {
    this.#stop()
    this.#pause.end()
    this.#onVacant()
  }
}
