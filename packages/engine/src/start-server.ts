import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { EngineCli } from './engine-cli.js'
import { databaseFile } from './engine-database.js'
import { describeError, EngineError } from './engine-error.js'
import { findFreePort, isPortFree, loopback } from './free-port.js'
import { waitUntilServing } from './health.js'
import { findPortOwner } from './port-owner.js'
import { retentionArguments, serverArguments } from './server-arguments.js'
import { type RunProcesses, type ServerRun, startServerRun } from './server-run.js'

/** What a start of the server needs, the first as every later one. */
export interface ServerSetup {
  readonly cli: EngineCli
  readonly dataDir: string
  readonly env: Record<string, string>
  readonly graceMs: number
  readonly readyTimeoutMs: number
  readonly record: (processes: RunProcesses) => Promise<void>
  readonly onLog: (line: string) => void
}

const tailLines = 12

/**
 * Starts a server on that port and waits until it serves. The signal ends the attempt.
 * @throws EngineError `start-failed` with the last lines of its log; nothing is left running.
 */
export async function startServer(setup: ServerSetup, port: number, signal: AbortSignal): Promise<ServerRun> {
  const { cli, dataDir, env, graceMs, record, onLog } = setup
  const tail: string[] = []
  const args = serverArguments(port, databaseFile(dataDir))
  const fail = (what: string): EngineError => new EngineError('start-failed', describeFailedStart(setup, port, what, tail))
  const options = {
    ...{ file: cli.path, args, graceMs, env, record },
    onLog: (line: string) => {
      tail.push(line)
      if (tail.length > tailLines) tail.shift()
      onLog(line)
    },
  }
  const run = await startServerRun(options).catch((error: unknown) => {
    throw fail(describeError(error))
  })
  const serving = await waitUntilServing(port, setup.readyTimeoutMs, AbortSignal.any([signal, run.gone]))
  if (serving) return run
  const ended = run.gone.aborted
  await run.stop()
  throw fail(ended ? run.ending() : signal.aborted ? 'it was stopped' : `it did not answer within ${setup.readyTimeoutMs / 1000} s`)
}

/** `startServer` on a free port, the preferred one if possible; on exactly that port where it is required. */
export async function startServerSomewhere(
  setup: ServerSetup,
  port: { readonly required: number | undefined; readonly preferred: number | undefined },
  signal: AbortSignal,
): Promise<{ readonly run: ServerRun; readonly port: number }> {
  if (port.required !== undefined) {
    if (!(await isPortFree(port.required))) throw new EngineError('start-failed', await describePortTaken(port.required))
    return { run: await startServer(setup, port.required, signal), port: port.required }
  }
  for (let attempt = 1; ; attempt++) {
    const free = await findFreePort(attempt === 1 ? port.preferred : undefined)
    try {
      return { run: await startServer(setup, free, signal), port: free }
    } catch (error) {
      // Somebody else may take a port between the look and the start, the server's own ones as well.
      if (attempt === 3 || !/address already in use/i.test(describeError(error))) throw error
    }
  }
}

/**
 * Sets how long the namespace keeps closed workflows.
 * @throws EngineError `start-failed`
 */
export async function setRetention(setup: ServerSetup, address: string, namespace: string, hours: number): Promise<void> {
  try {
    await promisify(execFile)(setup.cli.path, retentionArguments(address, namespace, hours), { env: setup.env, timeout: 15_000 })
  } catch (error) {
    const message = `The retention of Temporal's namespace ${namespace} could not be set to ${hours} h: ${describeError(error)}`
    throw new EngineError('start-failed', message, { cause: error })
  }
}

async function describePortTaken(port: number): Promise<string> {
  const owner = await findPortOwner(port)
  const who = owner === undefined ? 'another process' : `process ${owner.pid} (${owner.command.slice(0, 120)})`
  return `Port ${port} on ${loopback} is taken by ${who}. Stop it, or leave the engine's port unset to have a free one chosen.`
}

function describeFailedStart({ cli, dataDir }: ServerSetup, port: number, what: string, tail: readonly string[]): string {
  const database = databaseFile(dataDir)
  return [
    `Temporal's dev server did not start: ${what}.`,
    `  command: ${cli.path} ${serverArguments(port, database).slice(0, 9).join(' ')} … (server ${cli.server}, from ${cli.source})`,
    ...(tail.length === 0 ? ['  It logged nothing.'] : ['  Its last lines:', ...tail.map((line) => `    ${line.slice(0, 500)}`)]),
    advise(tail.join('\n'), database),
  ].join('\n')
}

function advise(log: string, database: string): string {
  if (/malformed|not a database|no such (table|column)|schema/i.test(log)) {
    return `The database seems to be damaged: move ${database} and its -wal away and start again; open tasks are then started again from the store.`
  }
  if (/database is locked/i.test(log)) return `Another process has ${database} open: end it, or use another data folder.`
  if (/address already in use/i.test(log)) return 'Another process took a port in the same moment: start again.'
  if (/no space left|disk (is )?full|read-only/i.test(log))
    return `${database} cannot be written: free some space, or use another data folder.`
  return 'Run the command by hand to see more, set TEMPORAL_CLI to another Temporal CLI, or set TEMPORAL_ADDRESS to a running server.'
}
