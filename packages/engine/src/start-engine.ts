import { resolve } from 'node:path'
import { childEnvironment, type Environment } from './child-environment.js'
import { type Claim, claimFile, type HeldClaim } from './claim-file.js'
import type { EngineCli } from './engine-cli.js'
import { checkDatabase, rememberDatabase } from './engine-database.js'
import { EngineError } from './engine-error.js'
import { type EngineRecord, engineFile, engineNamespace } from './engine-record.js'
import { loopback } from './free-port.js'
import { makeFolder } from './make-folder.js'
import { endPredecessor } from './predecessor.js'
import type { RunProcesses, ServerRun } from './server-run.js'
import { type ServerSetup, setRetention, startServer, startServerSomewhere } from './start-server.js'
import { type EngineRestart, type Supervision, supervise } from './supervise.js'

export interface StartEngineOptions {
  /** From `ensureEngine` or `findEngine`. */
  readonly cli: EngineCli
  /** Folder of `temporal.db` and `engine.json`; created where it does not exist. */
  readonly dataDir: string
  /** Port on 127.0.0.1. @default a free one, the last one where possible */
  readonly port?: number | undefined
  /** How long Temporal keeps closed workflows, in whole hours. @default 72 */
  readonly retentionHours?: number | undefined
  /** Environment of the server; apps pass theirs. @default only `HOME` */
  readonly env?: Environment | undefined
  /** Longest wait for the server to answer after its start. @default 30_000 */
  readonly readyTimeoutMs?: number | undefined
  /** Wait before the first restart of a server that died; doubles up to 10 s. @default 200 */
  readonly restartDelayMs?: number | undefined
  /** Told what is being done, a line at a time. */
  readonly onProgress?: ((line: string) => void) | undefined
  /** Called when a server that died has been replaced, at the same address. */
  readonly onRestart?: ((restart: EngineRestart) => void) | undefined
  /** Each line of the server's own log (warnings and errors). */
  readonly onLog?: ((line: string) => void) | undefined
}

/** A running dev server that this process owns. */
export interface Engine {
  /** `127.0.0.1:port`; stays the same over restarts. */
  readonly address: string
  readonly port: number
  readonly namespace: string
  /** Version of the server. */
  readonly version: string
  /** Process id of the server; another one after a restart. */
  readonly pid: number
  /** Resolves once the engine is stopped for good. */
  readonly exited: Promise<void>
  /** Stops the server, waits until it is gone and removes `engine.json`; to be called after everything that uses Temporal has stopped. */
  stop(): Promise<void>
}

/** Between SIGTERM and SIGKILL; the server needs about 1.5 s, and a killed parent's watchdog has 5 s in all. */
const graceMs = 3_500

/**
 * Starts Temporal's dev server on this data folder, tuned, on loopback only, and resolves when it answers. A watchdog ends it within 5 s when this
 * process is gone, however it went; a server that dies is started again at the same address until `stop`. Signals to the terminal's group do not
 * reach it. Keeps this process alive until `stop`, as a listening server does.
 * @throws EngineError which says what was tried and what to do
 */
export async function startEngine(options: StartEngineOptions): Promise<Engine> {
  const dataDir = resolve(options.dataDir)
  requireUsable(options, dataDir)
  await makeFolder(dataDir)
  const held = await claimEngine(dataDir)
  try {
    await endPredecessor(held.stale, graceMs, options.onProgress ?? ignore)
    return await startClaimed(options, dataDir, held)
  } catch (error) {
    await held.release()
    throw error
  }
}

async function startClaimed(options: StartEngineOptions, dataDir: string, held: HeldClaim<EngineRecord>): Promise<Engine> {
  const { cli, retentionHours = 72, onProgress = ignore } = options
  const known = await checkDatabase(dataDir, cli.server, onProgress)
  const setup: ServerSetup = {
    ...{ cli, dataDir, graceMs, env: childEnvironment(options.env), onLog: options.onLog ?? ignore },
    readyTimeoutMs: options.readyTimeoutMs ?? 30_000,
    record: (run: RunProcesses) => held.rewrite(describeRun(cli, run)),
  }
  const wanted = { required: options.port, preferred: known?.port }
  const { run: first, port } = await startServerSomewhere(setup, wanted, new AbortController().signal)
  const address = `${loopback}:${port}`
  await stopOnFailure(first, async () => {
    if (known?.retentionHours !== retentionHours) await setRetention(setup, address, engineNamespace, retentionHours)
    await rememberDatabase(dataDir, { server: cli.server, port, retentionHours })
    await held.rewrite({ ...describeRun(cli, first), address })
  })
  const supervision = supervise({
    ...{ first, onProgress, onRestart: options.onRestart ?? ignore },
    ...{ delayMs: options.restartDelayMs ?? 200, maxDelayMs: 10_000 },
    start: async (signal) => {
      const run = await startServer(setup, port, signal)
      await stopOnFailure(run, () => held.rewrite({ ...describeRun(cli, run), address }))
      return run
    },
  })
  return describeEngine(cli, port, supervision, () => held.release())
}

function describeEngine(cli: EngineCli, port: number, supervision: Supervision, release: () => Promise<void>): Engine {
  const exited = supervision.over.then(release)
  return {
    ...{ address: `${loopback}:${port}`, port, namespace: engineNamespace, version: cli.server, exited },
    get pid() {
      return supervision.current().server.pid
    },
    stop: () => {
      supervision.stop()
      return exited
    },
  }
}

function requireUsable({ port, retentionHours }: StartEngineOptions, dataDir: string): void {
  // The server puts the path into an SQLite URI as it is.
  if (/[?#%]/.test(dataDir))
    throw new EngineError('options', `dataDir must not contain "?", "#" or "%", which SQLite's URIs give a meaning: ${dataDir}`)
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new EngineError('options', `port must be a whole number from 1 to 65535: ${port}`)
  }
  if (retentionHours !== undefined && !(Number.isInteger(retentionHours) && retentionHours > 0)) {
    throw new EngineError('options', `retentionHours must be a whole number of at least 1: ${retentionHours}`)
  }
}

async function claimEngine(dataDir: string): Promise<HeldClaim<EngineRecord>> {
  const outcome = await claimFile<EngineRecord>(engineFile(dataDir), inherit)
  if ('held' in outcome) return outcome.held
  const { owner, since, address, pid } = outcome.taken
  const state = address === undefined ? 'is starting it' : `serves it at ${address} (server pid ${pid ?? 'unknown'})`
  throw new EngineError(
    'folder-in-use',
    `The engine in ${dataDir} belongs to process ${owner.pid} since ${since}, which ${state}. ` +
      'Stop that process, set MOORAGE_DATA_DIR to another folder, or set TEMPORAL_ADDRESS to that address to use its engine.',
  )
}

/** A dead owner's processes stay on record until they have been ended, in case this process is killed before that. */
function inherit(stale: (Claim & Partial<EngineRecord>) | undefined): EngineRecord {
  return {
    ...(stale?.pid === undefined ? {} : { pid: stale.pid }),
    ...(stale?.startedAt === undefined ? {} : { startedAt: stale.startedAt }),
    ...(stale?.watchdog === undefined ? {} : { watchdog: stale.watchdog }),
  }
}

function describeRun(cli: EngineCli, { server, watchdog }: RunProcesses): EngineRecord {
  const process = server === undefined ? {} : { pid: server.pid, startedAt: server.start }
  return { ...process, watchdog, namespace: engineNamespace, version: cli.server }
}

async function stopOnFailure(run: ServerRun, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    await run.stop()
    throw error
  }
}

function ignore(): void {
  // Nobody listens.
}
