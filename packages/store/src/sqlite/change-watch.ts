import type Database from 'better-sqlite3'
import { Bells, type Waiter } from '../follow/bells.js'
import { LateFollowers } from '../follow/late-followers.js'
import type { Reader } from './reader.js'

const TICK_MS = 20
const TICKS_BETWEEN_CHECKS = 50

/**
 * Tells followers of new entries: of this process's commits at once, of another process's within 20 ms, by the counter that SQLite keeps of
 * the commits of others. Once a second it looks whether anybody was forgotten.
 */
export class ChangeWatch {
  readonly #writer: Database.Database
  readonly #bells = new Bells(
    () => this.#start(),
    () => clearInterval(this.#timer),
  )
  readonly #late: LateFollowers
  #timer: NodeJS.Timeout | undefined
  #version = 0
  #ticks = 0

  /** The connection of the writer knows which commits are of others. */
  constructor(writer: Database.Database, reader: Reader) {
    this.#writer = writer
    this.#late = new LateFollowers(this.#bells, (read) => reader.read(read))
  }

  listen(taskId: string, waiter: Waiter): () => void {
    return this.#bells.listen(taskId, waiter)
  }

  announce(changes: ReadonlyMap<string, number>): void {
    for (const [taskId, seq] of changes) this.#bells.ring(taskId, seq)
  }

  /** Makes everybody read, and so find that the store is closed. */
  announceAll(): void {
    this.#bells.ringAll()
  }

  #start(): void {
    this.#ticks = 0
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  #tick(): void {
    this.#ticks++
    if (this.#late.looking || !(this.#othersCommitted() || this.#ticks >= TICKS_BETWEEN_CHECKS)) return
    this.#ticks = 0
    this.#late.ring()
  }

  #othersCommitted(): boolean {
    try {
      const version = Number(this.#writer.pragma('data_version', { simple: true }))
      const changed = version !== this.#version
      this.#version = version
      return changed
    } catch {
      // The read that follows tells whether the database is at fault or was only busy.
      return true
    }
  }
}
