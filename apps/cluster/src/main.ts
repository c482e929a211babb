/**
 * apps/cluster: Temporal's own server, Postgres, replicas of both apps and a proxy, on this machine, until a signal ends them.
 * @module
 */

import { inspect } from 'node:util'
import { ClusterError } from './cluster-error.js'
import { StreamRefusedError } from './demo/open-stream.js'
import { parseArguments, USAGE } from './parse-arguments.js'
import { ProcessLog } from './process-log.js'
import { runCluster } from './run-cluster.js'

/** sysexits.h: a command line that is wrong. */
const EXIT_USAGE = 64

const stop = new AbortController()
const log = new ProcessLog()

/** The first signal asks for an orderly end; the second one kills what runs, and Postgres then ends in order by itself. */
function obeySignals(): void {
  const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
  for (const [name, code] of Object.entries(exitCodes)) {
    process.on(name, () => {
      if (!stop.signal.aborted) return stop.abort()
      log.killAll()
      process.exit(code)
    })
  }
  // `npm run cluster` holds the other end of this channel: it closes when that process is killed.
  process.once('disconnect', () => stop.abort())
  // It may have closed while the program was being loaded; without such a channel, this is undefined.
  if (process.connected === false) stop.abort()
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function main(): Promise<number> {
  const parsed = parseArguments(process.argv.slice(2))
  if ('fault' in parsed) {
    tell(`${parsed.fault}\n${USAGE}`)
    return EXIT_USAGE
  }
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const { mode } = parsed
  if (mode === 'help') {
    print(USAGE)
    return 0
  }
  return runCluster({ mode, env: process.env, cwd: process.cwd(), log, tell, print }, stop.signal)
}

function explain(error: unknown): number {
  if (stop.signal.aborted) return 0
  const isExpected = error instanceof ClusterError || error instanceof StreamRefusedError
  const text = isExpected ? error.message : inspect(error)
  tell(`The cluster cannot run: ${text}`)
  return 1
}

obeySignals()
main().then(
  (code) => process.exit(code),
  (error: unknown) => process.exit(explain(error)),
)
