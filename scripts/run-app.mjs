/**
 * What `npm start`, `npm run worker`, `npm run cluster` and `npm run conformance-agent` share: install and build what is not yet there, then run
 * the program until it ends or a signal ends it.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { alone, install, ROOT, requireNode, say, tool } from './setup.mjs'

/** One Ctrl-C arrives twice: from the terminal, and from npm, which passes it on. */
const SAME_SIGNAL_MS = 150

/** Runs `apps/<name>` with the arguments after `--`; `also` names packages, as turbo filters, that it needs beside its own dependencies. */
export async function runApp(name, also = []) {
  await runProgram({
    name: `apps/${name}`,
    packages: [`@moorage/app-${name}`, ...also],
    nodeArgs: () => [join(ROOT, 'apps', name, 'dist', 'main.js')],
  })
}

/** Builds what the packages, given as turbo filters, name, then runs Node with `nodeArgs()` and the arguments after `--`. */
export async function runProgram({ name, packages, nodeArgs }) {
  requireNode()
  const filters = packages.map((filter) => `--filter=${filter}`)
  await alone(async () => {
    insist(await install(), 'The dependencies could not be installed.')
    say('Building what has changed …')
    insist(await tool(['turbo', 'run', 'build', ...filters, '--output-logs=errors-only'], { quiet: true }), 'The build failed.')
  })
  runBuilt(name, nodeArgs())
}

function insist({ code, output }, sentence) {
  if (code === 0) return
  process.stderr.write(output)
  say(sentence)
  process.exit(1)
}

/**
 * The app has a process group of its own, so that a Ctrl-C reaches it once, through here. When this process is killed, the app sees its
 * channel close and stops by itself; when npm is, this process sees that it has another parent.
 */
function runBuilt(name, nodeArgs) {
  const child = spawn(process.execPath, [...nodeArgs, ...process.argv.slice(2)], {
    cwd: calledFrom(),
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let last = Number.NEGATIVE_INFINITY
  const stop = (signal) => {
    const now = performance.now()
    if (now - last > SAME_SIGNAL_MS) child.kill(signal)
    last = now
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  process.on('SIGHUP', () => stop('SIGTERM'))
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    // A closed terminal ends npm and sends a signal here too: to the app, another one would be the second.
    if (last === Number.NEGATIVE_INFINITY) stop('SIGTERM')
  }, 500)
  child.on('error', (error) => {
    say(`${name} could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)))
}

/** npm runs scripts in the folder of package.json, and says where it was called. */
function calledFrom() {
  const { npm_lifecycle_event: event, npm_package_json: manifest, INIT_CWD: folder } = process.env
  return event !== undefined && manifest === join(ROOT, 'package.json') && folder ? folder : process.cwd()
}
