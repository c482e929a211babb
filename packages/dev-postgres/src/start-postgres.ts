import { resolve } from 'node:path'
import { findBinaries } from './binaries.js'
import { createDatabase } from './create-database.js'
import { findFreePort, isPortFree, LOOPBACK } from './free-port.js'
import { makeCluster, USER } from './make-cluster.js'
import { reachableBinaries } from './reachable-binaries.js'
import { type Account, serverAccount } from './server-account.js'
import { ServerProcess, StartError } from './server-process.js'

/** `fast` ends every session and stops in order; `immediate` is a crash, from which the next start recovers. */
export type StopMode = 'fast' | 'immediate'

export interface PostgresOptions {
  /** Made where it is missing. Everything that the server keeps is in it, also the password of its user. */
  readonly dataDir: string
  /** @default a free one below the range of outgoing connections */
  readonly port?: number
  /** Settings of the server, as in `postgresql.conf`; `{ fsync: 'off' }` makes tests faster. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface PostgresServer {
  /** With the password of the superuser; the database is `postgres`. */
  readonly url: string
  /** Makes an empty database, named at random unless named. Returns its URL. */
  createDatabase(name?: string): Promise<string>
  /** On the same port and data; resolves when it answers again. */
  restart(mode: StopMode): Promise<void>
  /** Resolves when it has ended. @default 'fast' */
  stop(mode?: StopMode): Promise<void>
  /** After `stop`: on the same port and data; resolves when it answers. */
  start(): Promise<void>
}

const DEFAULTS = { listen_addresses: LOOPBACK, unix_socket_directories: '', max_connections: '200' }
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
const PORTS_TRIED = 5

/**
 * Starts a Postgres that ends with this process, however that ends: also after SIGKILL it is stopped in order within moments, by a watcher that
 * sees a pipe of this process close. It does not keep this process alive.
 * @throws when the port is in use, or when another running server owns the data folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = await serverAccount()
  const { postgres, initdb } = await reachableBinaries(findBinaries(), account)
  const dataDir = resolve(options.dataDir)
  const settings: Readonly<Record<string, string>> = { ...DEFAULTS, ...options.settings }
  const cluster = await makeCluster({ initdb, dataDir, account, sync: settings['fsync'] !== 'off' })
  const launch = { postgres, account, dataDir, folder: cluster.folder, settings }
  const { server, port } = await (options.port === undefined ? startAnywhere(launch) : startAt(launch, options.port))
  return new LocalPostgres(server, launch, port, cluster.password)
}

interface Launch {
  readonly postgres: string
  readonly account: Account
  readonly dataDir: string
  readonly folder: string
  readonly settings: Readonly<Record<string, string>>
}

interface Started {
  readonly server: ServerProcess
  readonly port: number
}

async function startAnywhere(launch: Launch): Promise<Started> {
  for (let tries = 1; ; tries++) {
    try {
      return await startAt(launch, await findFreePort())
    } catch (error) {
      // Between the look and the start, somebody else may have taken it.
      if (!(error instanceof PortInUseError) || tries === PORTS_TRIED) throw error
    }
  }
}

class PortInUseError extends Error {
  override readonly name = 'PortInUseError'

  constructor(port: number) {
    super(`Port ${port} of ${LOOPBACK} is in use. Name another one, or none to get a free one.`)
  }
}

async function startAt(launch: Launch, port: number): Promise<Started> {
  if (!(await isPortFree(port))) throw new PortInUseError(port)
  const settings = Object.entries(launch.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  try {
    const args = ['-D', launch.folder, '-p', String(port), ...settings]
    return { server: await ServerProcess.start(launch.postgres, args, launch.account), port }
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    if (error.log.includes('Address already in use')) throw new PortInUseError(port)
    const owner = /Is another postmaster \(PID (\d+)\)/.exec(error.log)?.[1]
    if (owner === undefined) throw error
    throw new Error(
      `The data folder ${launch.dataDir} belongs to a Postgres that runs (PID ${owner}). Stop that one, or name another folder.`,
    )
  }
}

class LocalPostgres implements PostgresServer {
  readonly url: string
  readonly #launch: Launch
  readonly #port: number
  #server: ServerProcess

  constructor(server: ServerProcess, launch: Launch, port: number, password: string) {
    this.#server = server
    this.#launch = launch
    this.#port = port
    this.url = `postgres://${USER}:${password}@${LOOPBACK}:${port}/postgres`
  }

  createDatabase(name?: string): Promise<string> {
    return createDatabase(this.url, name)
  }

  async restart(mode: StopMode): Promise<void> {
    await this.stop(mode)
    await this.start()
  }

  stop(mode: StopMode = 'fast'): Promise<void> {
    return this.#server.stop(SIGNALS[mode])
  }

  async start(): Promise<void> {
    if (this.#server.running) return
    this.#server = (await startAt(this.#launch, this.#port)).server
  }
}
