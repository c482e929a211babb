import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { DeadlineError } from '../deadline-error.js'
import type { Priority } from '../priority-queue.js'
import type { Schema } from '../schema.js'
import type { Changes } from '../transaction/transaction-context.js'
import type { Connections } from './connections.js'
import { faultOf, toStoreError, unavailable } from './database-error.js'
import { Deadline } from './deadline.js'
import type { Session } from './session.js'
import type { PostgresStoreSettings } from './settings.js'
import { type Job, TaskGroups } from './task-groups.js'
import { TaskLocks } from './task-locks.js'
import { inSnapshot, inTransaction } from './transaction.js'
import { UnansweredCommitError } from './unanswered-commit-error.js'

/** A key that is taken tells of a transaction that has committed, so that the next try sees it. One that stays taken is a mistake in the program. */
const DUPLICATE_TRIES = 5
const LONGEST_PAUSE_MS = 250

/** The work of one transaction. `now` is its time, in milliseconds since the epoch; it adds the tasks whose log it extends to `changes`. */
export type Write<T> = (db: Kysely<Schema>, now: number, changes: Changes) => Promise<T>

/** What became of one that was committed. */
export interface Written<T> {
  readonly value: T
  readonly changes: ReadonlyMap<string, number>
}

/** Runs transactions, again where others were in the way or the connection broke, until the deadline. */
export class Transactor {
  readonly #connections: Connections
  readonly #settings: PostgresStoreSettings
  readonly #locks = new TaskLocks()
  readonly #groups = new TaskGroups<Write<unknown>, Written<unknown>>((id, first, close) => this.#writeGroup(id, first, close))
  readonly #running = new Set<Promise<unknown>>()

  constructor(connections: Connections, settings: PostgresStoreSettings) {
    this.#connections = connections
    this.#settings = settings
  }

  /** The tasks are locked, in sorted order, before `write` runs. */
  async write<T>(taskIds: readonly string[], priority: Priority, write: Write<T>): Promise<Written<T>> {
    const ids = [...new Set(taskIds)].sort()
    const job = { write, priority, deadline: this.#deadline() }
    const [id, ...others] = ids
    return this.#track(id === undefined || others.length > 0 ? this.#writeAlone(ids, job) : this.#writeTogether(id, job))
  }

  /** Everything that `read` sees is of one moment. */
  async read<T>(read: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
    return this.ask((session) => inSnapshot(session, read))
  }

  /** A read of one statement, which needs no transaction to be of one moment. */
  async readOne<T>(read: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
    return this.ask((session) => read(session.db))
  }

  /** Runs what may run again when the connection breaks. */
  async ask<T>(work: (session: Session) => Promise<T>, deadline = this.#deadline()): Promise<T> {
    return this.#track(this.#retry(deadline, () => this.#connections.use('accept', deadline, work)))
  }

  /** Resolves when nothing is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  /** Together with what waits for the same task; alone after a failure, which may have been another one's. */
  async #writeTogether<T>(id: string, job: Job<Write<T>>): Promise<Written<T>> {
    const result = await this.#groups.run(id, job)
    if ('outcome' in result) return result.outcome as Written<T>
    const { error, shared } = result
    if (!shared || error instanceof UnansweredCommitError) throw error
    return this.#writeAlone([id], job)
  }

  #writeGroup(id: string, first: Job<Write<unknown>>, close: () => readonly Job<Write<unknown>>[]): Promise<readonly Written<unknown>[]> {
    const { deadline } = first
    return this.#locks.hold([id], deadline, async () => {
      const jobs = close()
      if (jobs.length === 1) return [await this.#writeRetried([id], first)]
      const priority = jobs.some((job) => job.priority === 'accept') ? 'accept' : 'append'
      return this.#connections.use(priority, deadline, async (session) => {
        const { value: values, changes } = await this.#writeOnce(session, [id], async (db, now, changes) => {
          const written: unknown[] = []
          for (const { write } of jobs) written.push(await write(db, now, changes))
          return written
        })
        return values.map((value) => ({ value, changes }))
      })
    })
  }

  #writeAlone<T>(ids: readonly string[], job: Job<Write<T>>): Promise<Written<T>> {
    return this.#locks.hold(ids, job.deadline, () => this.#writeRetried(ids, job))
  }

  #writeRetried<T>(ids: readonly string[], { write, priority, deadline }: Job<Write<T>>): Promise<Written<T>> {
    return this.#retry(deadline, () => this.#connections.use(priority, deadline, (session) => this.#writeOnce(session, ids, write)))
  }

  async #writeOnce<T>(session: Session, ids: readonly string[], write: Write<T>): Promise<Written<T>> {
    const changes: Changes = new Map()
    const value = await inTransaction(
      session,
      () => beginWithLocks(session, ids),
      (now) => write(session.db, this.#settings.now?.() ?? now, changes),
    )
    return { value, changes }
  }

  async #retry<T>(deadline: Deadline, attempt: () => Promise<T>): Promise<T> {
    let last: unknown
    let duplicates = 0
    for (let tries = 1; ; tries++) {
      try {
        return await attempt()
      } catch (error) {
        // Those alone count: a database that was away for many tries has left none for the key that is taken after it.
        if (faultOf(error) === 'duplicate') duplicates++
        if (!mayRunAgain(error, duplicates)) throw toFinalError(error, last)
        if (deadline.left === 0) throw unavailable(error)
        last = error
        await setTimeout(Math.min(2 ** tries * (0.5 + this.#settings.random()), LONGEST_PAUSE_MS, deadline.left))
      }
    }
  }

  #deadline(): Deadline {
    return new Deadline(this.#settings.acceptDeadlineMs)
  }

  #track<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running)
    const forget = () => void this.#running.delete(running)
    running.then(forget, forget)
    return running
  }
}

function mayRunAgain(error: unknown, duplicates: number): boolean {
  const fault = faultOf(error)
  return fault === 'connection' || fault === 'conflict' || (fault === 'duplicate' && duplicates < DUPLICATE_TRIES)
}

/** That the time is up says less than what took it: the failure before. */
function toFinalError(error: unknown, last: unknown): unknown {
  return error instanceof DeadlineError && last !== undefined ? unavailable(last) : toStoreError(error)
}

/**
 * Locks the rows of the tasks that exist, in the order of their ids, and then reads the clock: what a task's transactions write is in the order of
 * their times. A task that does not exist yet is created by whoever is first; the other meets its key, and runs again.
 */
async function beginWithLocks(session: Session, ids: readonly string[]): Promise<number> {
  const locked = sql`select 1 from tasks where id = any(${ids}::text[]) order by id for update`
  const counted = ids.length === 0 ? sql`(select 1) as none` : sql`(select count(*) from (${locked}) as locked) as counted`
  const clock = sql<{ now: number }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now from ${counted}`
  // Sent together: neither needs the other's answer.
  const [, { rows }] = await Promise.all([session.ask('begin isolation level read committed'), clock.execute(session.db)])
  return (rows[0] as { now: number }).now
}
