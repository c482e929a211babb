import { Socket } from 'node:net'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Schema } from '../schema.js'
import { ConnectionError } from './database-error.js'
import { toStoredText } from './stored-text.js'

/** One connection to the server, with the query builder over it. */
export class Session extends pg.Client {
  readonly db: Kysely<Schema>
  readonly #socket: Socket
  #lost = false

  constructor(config: pg.ClientConfig = {}) {
    // A socket of our own, since a server that is silent must not keep us until it speaks.
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
    this.on('error', () => this.#lose())
    this.on('end', () => this.#lose())
    const client = { query: (text: string, values: readonly unknown[]) => this.ask(text, values), release: () => {} }
    const pool = { connect: async () => client as unknown as PostgresPoolClient, end: async () => {} }
    this.db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  }

  get lost(): boolean {
    return this.#lost
  }

  /** Whether it is in a transaction, also one that has failed. */
  get inTransaction(): boolean {
    return this.getTransactionStatus() !== 'I'
  }

  async ask(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    try {
      return await this.query(text, values.map(toStored))
    } catch (error) {
      throw this.#lost && !(error instanceof pg.DatabaseError) ? ConnectionError.lost(error) : error
    }
  }

  /** Ends it at once, whatever it is waiting for. */
  destroy(): void {
    this.#socket.destroy()
  }

  #lose(): void {
    this.#lost = true
  }
}

function toStored(value: unknown): unknown {
  if (typeof value === 'string') return toStoredText(value)
  return Array.isArray(value) ? value.map(toStored) : value
}
