/**
 * `npm run chaos`: kills, pauses and cuts off processes while tasks run, and tells what became of the tasks.
 * @module
 */
import { inspect } from 'node:util'
import { chaos } from './chaos.js'
import { parseOptions, USAGE } from './options.js'
import { report } from './report.js'
import { killStarted } from './started.js'

/** sysexits.h: a command line that is wrong. */
const EXIT_USAGE = 64
const EXIT_INTERRUPTED = 130

const stop = new AbortController()
let folder: string | undefined
process.on('exit', killStarted)
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (stop.signal.aborted) {
      process.stdout.write(`Killing everything.${folder === undefined ? '' : ` Logs and data: ${folder}`}\n`)
      process.exit(EXIT_INTERRUPTED)
    }
    process.stdout.write('Stopping.\n')
    stop.abort()
  })
}
// `npm run chaos` holds the other end of this channel: it closes when that process is killed.
process.once('disconnect', () => stop.abort())
// It may have closed while this program was being loaded.
if (process.connected === false) stop.abort()
// A terminal that has been closed takes no more lines.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

async function main(): Promise<number> {
  const parsed = parseOptions(process.argv.slice(2))
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  if ('fault' in parsed) {
    process.stderr.write(`${parsed.fault}\n${USAGE}\n`)
    return EXIT_USAGE
  }
  if ('help' in parsed) {
    print(USAGE)
    return 0
  }
  const { options } = parsed
  const run = await chaos(options, stop.signal, print, (path) => {
    folder = path
  })
  for (const line of report(run, options)) print(line)
  if (run.folder !== undefined) print(`Logs and data: ${run.folder}`)
  if (stop.signal.aborted) return EXIT_INTERRUPTED
  return run.verdicts.length === 0 ? 0 : 1
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`The suite could not go on: ${inspect(error)}\n`)
    process.exit(1)
  },
)
