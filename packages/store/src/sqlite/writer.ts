import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Priority, PriorityQueue, type Queued } from '../priority-queue.js'
import type { Schema } from '../schema.js'
import type { Changes } from '../transaction/transaction-context.js'
import { type Connection, rollback } from './connection.js'
import { isBusy, isUnavailable, unavailable } from './database-error.js'
import { type BusyRetry, busyPause } from './retry-busy.js'

const GROUP = 64
/** A writer that has gone on for so long lets go of the lock for long enough that another process can find it free. */
const TURN_MS = 25
const YIELD_MS = 2

/** The work of one transaction. It adds the tasks whose log it extends to `changes`. */
export type Write<T> = (db: Kysely<Schema>, changes: Changes) => Promise<T>

interface WriteJob extends Queued {
  /** Does the work and returns how to tell the caller, once it is committed. */
  readonly run: (db: Kysely<Schema>, changes: Changes) => Promise<() => void>
}

export interface WriterOptions extends BusyRetry {
  /** Called after each commit with the tasks that have new entries. */
  readonly onCommit: (changes: ReadonlyMap<string, number>) => void
}

/**
 * The one writer of the process. What is queued shares a commit, since the sync to the disk is what costs; each piece of work has a
 * savepoint of its own, so that one which throws takes only itself back. Outcomes are told after the commit, refusals too: they may rest
 * on what another one in the group wrote.
 */
export class Writer {
  readonly #connection: Connection
  readonly #options: WriterOptions
  readonly #queue = new PriorityQueue<WriteJob>()
  #draining: Promise<void> | undefined

  constructor(connection: Connection, options: WriterOptions) {
    this.#connection = connection
    this.#options = options
  }

  write<T>(priority: Priority, run: Write<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.add(priority, {
        deadline: performance.now() + this.#options.deadlineMs,
        run: async (db, changes) => {
          const value = await run(db, changes)
          return () => resolve(value)
        },
        reject,
      })
      this.#draining ??= this.#drain()
    })
  }

  /** Resolves when nothing is queued. */
  async idle(): Promise<void> {
    await this.#draining
  }

  async #drain(): Promise<void> {
    let since = performance.now()
    while (this.#queue.size > 0) {
      // Whoever writes in this turn of the event loop joins the group, and a long queue does not hold up everything else.
      await setImmediate()
      this.#queue.rejectOverdue(performance.now())
      if (this.#begin()) {
        await this.#writeGroup()
        if (this.#queue.size === 0 || performance.now() - since < TURN_MS) continue
        await setTimeout(YIELD_MS)
      } else if (this.#queue.size > 0) {
        const left = Math.max(0, this.#queue.earliestDeadline - performance.now())
        await setTimeout(Math.min(busyPause(this.#options.random), left))
      }
      since = performance.now()
    }
    this.#draining = undefined
  }

  /** Whether the lock was got, and there is anything to do with it. */
  #begin(): boolean {
    if (this.#queue.size === 0) return false
    try {
      this.#connection.raw.exec('begin immediate')
      return true
    } catch (error) {
      if (!isBusy(error)) this.#queue.rejectAll(unavailable(error))
      return false
    }
  }

  async #writeGroup(): Promise<void> {
    const group: WriteJob[] = []
    const tell: (() => void)[] = []
    const changes: Changes = new Map()
    try {
      for (let job = this.#queue.take(); job; job = group.length < GROUP ? this.#queue.take() : undefined) {
        group.push(job)
        tell.push(await this.#runInSavepoint(job, changes))
      }
      this.#connection.raw.exec('commit')
    } catch (error) {
      this.#abandon(group, error)
      return
    }
    for (const tellOne of tell) tellOne()
    if (changes.size > 0) this.#options.onCommit(changes)
  }

  /** Returns how to tell the outcome. @throws what ends the whole group. */
  async #runInSavepoint(job: WriteJob, changes: Changes): Promise<() => void> {
    const { raw, db } = this.#connection
    raw.exec('savepoint job')
    try {
      const own: Changes = new Map()
      const tell = await job.run(db, own)
      raw.exec('release job')
      for (const [id, seq] of own) changes.set(id, seq)
      return tell
    } catch (error) {
      if (isUnavailable(error) || !raw.inTransaction) throw error
      raw.exec('rollback to job; release job')
      return () => job.reject(error)
    }
  }

  #abandon(group: readonly WriteJob[], error: unknown): void {
    try {
      rollback(this.#connection.raw)
    } catch {
      // The next BEGIN reports what is wrong with the connection.
    }
    for (const job of group) job.reject(unavailable(error))
  }
}
