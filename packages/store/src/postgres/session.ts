import { Socket } from 'node:net'
import { Kysely, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Schema } from '../schema.js'
import { ConnectionError } from './database-error.js'
import { SessionDialect } from './session-dialect.js'
import { toStoredText } from './stored-text.js'

/** Lists of values of every length would make a statement each: those are not worth it. */
const PREPARED_VALUES = 40
const PREPARED_STATEMENTS = 200
const IN_FAILED_TRANSACTION = '25P02'

/** One connection to the server, with the query builder over it. */
export class Session extends pg.Client {
  readonly db: Kysely<Schema>
  readonly #socket: Socket
  readonly #names = new Map<string, string>()
  #lost = false
  #failure: pg.DatabaseError | undefined

  constructor(config: pg.ClientConfig = {}) {
    // A socket of our own, since a server that is silent must not keep us until it speaks.
    const socket = new Socket()
    super({ ...config, pipeline: true, stream: () => socket })
    this.#socket = socket
    this.on('error', () => this.#lose())
    this.on('end', () => this.#lose())
    const client = { query: (text: string, values: readonly unknown[]) => this.ask(text, values), release: () => {} }
    const pool = { connect: async () => client as unknown as PostgresPoolClient, end: async () => {} }
    this.db = new Kysely<Schema>({ dialect: new SessionDialect({ pool }) })
  }

  get lost(): boolean {
    return this.#lost
  }

  /** Whether nobody can work with it any more: it is lost, or stuck in a transaction. */
  get useless(): boolean {
    return this.#lost || this.getTransactionStatus() !== 'I'
  }

  async ask(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    try {
      return await this.query({ ...this.#prepared(text, values), text, values: values.map(toStored) })
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw this.#lost ? ConnectionError.lost(error) : error
      // What follows a failure in a transaction fails because of it.
      if (error.code !== IN_FAILED_TRANSACTION) this.#failure = error
      throw this.#failure ?? error
    }
  }

  /** Statements that come again are parsed once by the server, which keeps them for as long as the connection lasts. */
  #prepared(text: string, values: readonly unknown[]): { readonly name?: string } {
    if (values.length > PREPARED_VALUES) return {}
    const name = this.#names.get(text) ?? `s${this.#names.size}`
    if (this.#names.size < PREPARED_STATEMENTS) this.#names.set(text, name)
    return this.#names.has(text) ? { name } : {}
  }

  /** Ends it at once, whatever it is waiting for. */
  destroy(): void {
    this.#lose()
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
