import pg from 'pg'
import { DeadlineError } from '../deadline-error.js'
import type { Priority } from '../priority-queue.js'
import { ConnectionError, faultOf } from './database-error.js'
import type { Deadline } from './deadline.js'
import { Session } from './session.js'
import { Slots } from './slots.js'

const IDLE_MS = 60_000

/** The connections that work is done with. One that broke, or whose server did not answer in time, is thrown away. */
export class Connections {
  readonly #pool: pg.Pool
  readonly #slots: Slots

  constructor(config: pg.ClientConfig, size: number) {
    this.#pool = new pg.Pool({ ...config, Client: Session, max: size, idleTimeoutMillis: IDLE_MS })
    // A connection that breaks while nobody uses it: the pool has dropped it, and the next one who asks gets another.
    this.#pool.on('error', () => {})
    this.#slots = new Slots(size)
  }

  /** Runs `work` with a connection that nobody else has. It is over at the deadline, whatever it waits for. */
  async use<T>(priority: Priority, deadline: Deadline, work: (session: Session) => Promise<T>): Promise<T> {
    const giveBack = await this.#slots.take(priority, deadline)
    try {
      const session = await this.#connect(deadline)
      let over = false
      const timer = setTimeout(() => {
        over = true
        session.destroy()
      }, deadline.left)
      try {
        return await work(session)
      } catch (error) {
        if (faultOf(error) !== 'connection') throw error
        session.destroy()
        throw over ? new DeadlineError() : error
      } finally {
        clearTimeout(timer)
        release(session)
      }
    } finally {
      giveBack()
    }
  }

  /** Resolves when the connections that are in use have been given back, and all are closed. */
  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #connect(deadline: Deadline): Promise<PooledSession> {
    deadline.assertLeft()
    const connecting = this.#pool.connect().then(
      (client) => client as PooledSession,
      (error: unknown) => Promise.reject(error instanceof pg.DatabaseError ? error : ConnectionError.failed(error)),
    )
    try {
      const session = await deadline.wait(connecting)
      // A deadline that is over must not cost a connection that works.
      deadline.assertLeft()
      return session
    } catch (error) {
      connecting.then(release, () => {})
      throw error
    }
  }
}

type PooledSession = pg.PoolClient & Session

function release(session: PooledSession): void {
  session.release(session.useless)
}
