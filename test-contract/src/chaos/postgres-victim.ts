import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type PostgresServer, startPostgres } from '@moorage/dev-postgres'
import pg from 'pg'
import type { Link } from './link.js'
import { send } from './send.js'
import type { Victim } from './victim.js'

const LOOK_MS = 100
const BACK_MS = 60_000

/** A Postgres of the suite's own, behind the links that lead to it. */
export class PostgresVictim implements Victim {
  readonly links: Link[] = []
  readonly #server: PostgresServer
  readonly #dataDir: string

  private constructor(server: PostgresServer, dataDir: string) {
    this.#server = server
    this.#dataDir = dataDir
  }

  static async start(dataDir: string): Promise<PostgresVictim> {
    return new PostgresVictim(await startPostgres({ dataDir }), dataDir)
  }

  get url(): string {
    return this.#server.url
  }

  createDatabase(): Promise<string> {
    return this.#server.createDatabase()
  }

  pids(): Promise<readonly number[]> {
    return postgresPids(join(this.#dataDir, 'cluster'))
  }

  async kill(deadMs: number): Promise<void> {
    for (const pid of await this.pids()) send(pid, 'SIGKILL')
    await pause(deadMs)
    const deadline = performance.now() + BACK_MS
    while (!(await this.#isBack())) {
      if (performance.now() > deadline) throw new Error(`Postgres did not come back within ${BACK_MS / 1000} s`)
      await pause(LOOK_MS)
    }
  }

  stop(): Promise<void> {
    return this.#server.stop('fast')
  }

  async #isBack(): Promise<boolean> {
    // Refused while something of the killed server is still there.
    await this.#server.start().catch(() => undefined)
    const client = new pg.Client({ connectionString: this.#server.url, connectionTimeoutMillis: 2000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

/** The server of a data folder and all that it has forked. */
export async function postgresPids(folder: string): Promise<readonly number[]> {
  const file = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const server = Number(file.split('\n')[0])
  if (!(server > 0)) return []
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const children = rows.filter(([, parent]) => parent === server).map(([pid = 0]) => pid)
  return rows.some(([pid]) => pid === server) ? [server, ...children] : []
}
