import type Database from 'better-sqlite3'
import { Bells } from '../follow/bells.js'
import type { Reader } from './reader.js'

const TICK_MS = 20
const TICKS_BETWEEN_CHECKS = 50
const IDS_IN_A_QUERY = 500

/**
 * Tells followers of new entries: of this process's commits at once, of another process's within 20 ms, by the counter that SQLite keeps of
 * the commits of others. Once a second it looks whether anybody was forgotten.
 */
export class ChangeWatch {
  readonly #writer: Database.Database
  readonly #reader: Reader
  readonly #bells = new Bells(
    () => this.#start(),
    () => clearInterval(this.#timer),
  )
  #timer: NodeJS.Timeout | undefined
  #version = 0
  #ticks = 0
  #checking = false

  /** The connection of the writer knows which commits are of others. */
  constructor(writer: Database.Database, reader: Reader) {
    this.#writer = writer
    this.#reader = reader
  }

  listen(taskId: string, after: number, ring: () => void): () => void {
    return this.#bells.listen(taskId, { after, ring })
  }

  announce(taskIds: ReadonlySet<string>): void {
    for (const taskId of taskIds) this.#bells.ring(taskId)
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
    if (this.#checking || !(this.#othersCommitted() || this.#ticks >= TICKS_BETWEEN_CHECKS)) return
    this.#ticks = 0
    this.#checking = true
    this.#ringLate()
      // Who is rung reads, and so meets the same error.
      .catch(() => this.#bells.ringAll())
      .finally(() => {
        this.#checking = false
      })
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

  /** One query for all, however many follow: only those who lag behind are rung. */
  async #ringLate(): Promise<void> {
    const taskIds = this.#bells.taskIds
    for (let start = 0; start < taskIds.length; start += IDS_IN_A_QUERY) {
      const ids = taskIds.slice(start, start + IDS_IN_A_QUERY)
      const tasks = await this.#reader.read((db) => db.selectFrom('tasks').select(['id', 'seq']).where('id', 'in', ids).execute())
      for (const task of tasks) this.#bells.ring(task.id, task.seq)
    }
  }
}
