import type { Kysely } from 'kysely'
import type { Schema } from '../schema.js'
import { type Connection, rollback } from './connection.js'
import { type BusyRetry, retryBusy } from './retry-busy.js'

/** Reads beside the writer, one after the other: SQLite runs in this thread, so that more connections would not make it faster. */
export class Reader {
  readonly #connection: Connection
  readonly #retry: BusyRetry
  #last: Promise<unknown> = Promise.resolve()

  constructor(connection: Connection, retry: BusyRetry) {
    this.#connection = connection
    this.#retry = retry
  }

  /** Everything that `read` sees is of one moment. */
  read<T>(read: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => retryBusy(() => this.#inTransaction(read), this.#retry))
    this.#last = result.catch(() => {})
    return result
  }

  /** Resolves when nothing is being read. */
  async idle(): Promise<void> {
    await this.#last
  }

  async #inTransaction<T>(read: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
    const { raw, db } = this.#connection
    raw.exec('begin')
    try {
      return await read(db)
    } finally {
      rollback(raw)
    }
  }
}
