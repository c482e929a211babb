import { setTimeout as pause } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '@moorage/dev-postgres'
import type pg from 'pg'
import { ClusterError } from '../cluster-error.js'
import { connectPostgres } from './postgres-client.js'
import type { RunningProcess } from './running-process.js'

const READY_TIMEOUT_MS = 30_000

/** A Postgres on a data folder, for `keepRunning`. */
export class Postgres {
  readonly #options: { readonly dataDir: string; readonly port: number }
  #server: PostgresServer | undefined

  constructor(options: { readonly dataDir: string; readonly port: number }) {
    this.#options = options
  }

  /** URL of the database `postgres`, with the superuser's password. @throws before it was started */
  get url(): string {
    if (this.#server === undefined) throw new Error('Postgres has not been started')
    return this.#server.url
  }

  /** Starts it, or starts it again, and resolves when it takes sessions. */
  async start(signal: AbortSignal): Promise<RunningProcess> {
    const deadline = performance.now() + READY_TIMEOUT_MS
    for (;;) {
      // Again in each round: a server that was killed counts as running until its end has been noticed.
      const server = await this.#launch(signal, deadline)
      const client = await connectPostgres(server.url).catch((error: unknown) => {
        if (performance.now() > deadline) throw error
        return undefined
      })
      if (client !== undefined) return watch(server, client)
      await pause(100, undefined, { signal })
    }
  }

  /** What a killed predecessor has left, its own server or a child of that, ends within moments. */
  async #launch(signal: AbortSignal, deadline: number): Promise<PostgresServer> {
    for (;;) {
      try {
        await this.#server?.start()
        this.#server ??= await startPostgres(this.#options)
        return this.#server
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        const isPassing = /belongs to a Postgres that runs|is in use|did not start/.test(reason)
        if (!isPassing || performance.now() > deadline) throw new ClusterError(reason, { cause: error })
        await pause(250, undefined, { signal })
      }
    }
  }
}

/** A session that ends with the server tells that it has; it also ends where the server ends all sessions, after one of them crashed. */
async function watch(server: PostgresServer, client: pg.Client): Promise<RunningProcess> {
  const ended = new Promise<string>((resolve) => client.once('end', () => resolve('with all of its sessions')))
  const text = "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid"
  const { rows } = await client.query<{ pid: number }>(text)
  const stop = async () => {
    await server.stop('fast')
    await ended
  }
  return { pid: rows[0]?.pid ?? 0, ended, stop }
}
