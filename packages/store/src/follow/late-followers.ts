import type { Kysely } from 'kysely'
import type { Schema } from '../schema.js'
import type { Bells } from './bells.js'

const IDS_IN_A_QUERY = 500

/** Runs a read of the database. */
export type Read = <T>(read: (db: Kysely<Schema>) => Promise<T>) => Promise<T>

/** Finds the followers whom nobody told: a signal that was lost must not lose an entry. */
export class LateFollowers {
  readonly #bells: Bells
  readonly #read: Read
  #looking = false

  constructor(bells: Bells, read: Read) {
    this.#bells = bells
    this.#read = read
  }

  /** Whether a look is under way: then `ring` does nothing. */
  get looking(): boolean {
    return this.#looking
  }

  /** One query for all, however many follow: only those who lag behind, or whose task is gone, are rung. */
  ring(): void {
    if (this.#looking) return
    this.#looking = true
    this.#ringLate()
      // Who is rung reads, and so meets the same error.
      .catch(() => this.#bells.ringAll())
      .finally(() => {
        this.#looking = false
      })
  }

  async #ringLate(): Promise<void> {
    const taskIds = this.#bells.taskIds
    for (let start = 0; start < taskIds.length; start += IDS_IN_A_QUERY) {
      const ids = taskIds.slice(start, start + IDS_IN_A_QUERY)
      const tasks = await this.#read((db) => db.selectFrom('tasks').select(['id', 'seq']).where('id', 'in', ids).execute())
      for (const task of tasks) this.#bells.ring(task.id, task.seq)
      // Who follows a task that has been removed must learn of it.
      const found = new Set(tasks.map((task) => task.id))
      for (const id of ids) if (!found.has(id)) this.#bells.ring(id)
    }
  }
}
