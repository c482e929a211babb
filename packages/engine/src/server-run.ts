import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { endProcess, identifyProcess, type ProcessIdentity } from './process-identity.js'
import type { WatchdogCommand, WatchdogReport } from './watchdog-protocol.js'

/** The processes of a run, as they come to be known. */
export interface RunProcesses {
  readonly watchdog: ProcessIdentity
  readonly server: ProcessIdentity | undefined
}

export interface ServerRunOptions extends WatchdogCommand {
  readonly env: Record<string, string>
  /** Awaited with the watchdog before there is a server, and with both once there is: what may live is recorded before it does. */
  readonly record: (processes: RunProcesses) => Promise<void>
  readonly onLog: (line: string) => void
}

/** One life of the server, with the watchdog that guards it. */
export interface ServerRun {
  readonly watchdog: ProcessIdentity
  readonly server: ProcessIdentity
  /** Aborted when the server is gone for certain, its watchdog too. */
  readonly gone: AbortSignal
  /** How it ended, in words, once `gone` is aborted. */
  readonly ending: () => string
  /** Stops the server and waits until both processes are gone. */
  stop(): Promise<void>
}

// Through the package's own name, so that the built program is found from `dist` and from `src` alike.
const watchdogFile = createRequire(import.meta.url).resolve('@moorage/engine/watchdog')

/**
 * Starts a watchdog and, through it, a server. Resolves when the server process exists, not when it serves.
 * @throws Error where either process cannot be started.
 */
export async function startServerRun(options: ServerRunOptions): Promise<ServerRun> {
  const watchdog = await startWatchdog(options)
  try {
    await options.record({ watchdog: watchdog.identity, server: undefined })
    const server = await watchdog.launch()
    await options.record({ watchdog: watchdog.identity, server })
    const gone = new AbortController()
    // A watchdog that was killed leaves its server behind; this process is then the only one to end it.
    const ended = watchdog.closed.then(() => endProcess(server, options.graceMs)).then(() => gone.abort())
    return {
      watchdog: watchdog.identity,
      server,
      gone: gone.signal,
      ending: watchdog.ending,
      stop: async () => {
        await watchdog.stop()
        await ended
      },
    }
  } catch (error) {
    await watchdog.stop()
    throw error
  }
}

interface Watchdog {
  readonly identity: ProcessIdentity
  /** Resolves when it is gone. */
  readonly closed: Promise<unknown>
  readonly ending: () => string
  /** Has it start the server. */
  launch(): Promise<ProcessIdentity>
  /** Has it stop the server, and waits until it is gone. */
  stop(): Promise<void>
}

async function startWatchdog({ file, args, graceMs, env, onLog }: ServerRunOptions): Promise<Watchdog> {
  // Detached: in a session of its own, Ctrl-C in the parent's terminal does not reach the server.
  const child = spawn(process.execPath, [watchdogFile], { detached: true, env, stdio: 'pipe' })
  let stopping = false
  let ending = 'its watchdog was killed'
  const closed = once(child, 'close')
  closed.catch(() => undefined)
  child.stdin.on('error', () => undefined)
  // What a server says while it stops is noise: its own parts losing each other.
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!stopping) onLog(line)
  })
  const reports = createInterface({ input: child.stdout })
  const first = nextReport(reports)
  reports.on('line', (line) => {
    ending = describeReport(parseReport(line)) ?? ending
  })
  await once(child, 'spawn')
  const identity = await identifyProcess(child.pid as number)
  if (identity === undefined) throw new Error('the watchdog ended at once')
  return {
    identity,
    closed,
    ending: () => ending,
    launch: async () => {
      child.stdin.write(`${JSON.stringify({ file, args, graceMs } satisfies WatchdogCommand)}\n`)
      const report = await first
      if (report === undefined || !('server' in report)) throw new Error(ending)
      return (await identifyProcess(report.server)) ?? { pid: report.server, start: 'ended' }
    },
    stop: async () => {
      stopping = true
      child.stdin.end()
      const backstop = setTimeout(() => child.kill('SIGKILL'), graceMs + 1_500)
      await closed
      clearTimeout(backstop)
    },
  }
}

/** The next report; undefined where the stream ends without one. */
function nextReport(reports: ReturnType<typeof createInterface>): Promise<WatchdogReport | undefined> {
  return new Promise((resolve) => {
    reports.once('line', (line) => resolve(parseReport(line)))
    reports.once('close', () => resolve(undefined))
  })
}

function parseReport(line: string): WatchdogReport {
  return JSON.parse(line) as WatchdogReport
}

function describeReport(report: WatchdogReport): string | undefined {
  if ('failed' in report) return report.failed
  if ('server' in report) return undefined
  const { code, signal } = report.ended
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`
}
