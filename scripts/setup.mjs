/**
 * What `npm start` and `npm test` share: this clone's toolchain, installed and built, with nothing needed on PATH but Node and npm.
 * Plain Node without dependencies, since it runs before any is there.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STAMP = join(ROOT, 'node_modules', '.moorage-install')
const OLDEST_NODE = [20, 19]

/** Ends the process with a sentence where this Node cannot run Moorage. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return
  say(`Moorage needs Node ${OLDEST_NODE.join('.')} or newer, and this is ${process.versions.node}. Install a newer Node and try again.`)
  process.exit(1)
}

/** A line for the person at the terminal; stdout is left to the program itself. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/**
 * Runs a command in the clone's root without standard input. With `quiet` its output is kept, and returned, instead of shown.
 * A SIGINT or SIGTERM that comes meanwhile ends it, and then this process.
 */
function run(command, args, { quiet = false, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    })
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
    })
    child.stderr?.on('data', (chunk) => {
      output += chunk
    })
    const stop = (signal) => {
      child.once('close', () => process.exit(signal === 'SIGINT' ? 130 : 143))
      child.kill(signal)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
    const done = (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      resolve({ code, output })
    }
    child.on('error', (error) => {
      output += `${command}: ${error.message}\n`
      done(1)
    })
    child.on('close', (code) => done(code ?? 1))
  })
}

/** Runs pnpm in the version that package.json pins, through npx: corepack is not needed, and turbo finds pnpm on its PATH. */
function pnpm(args, options) {
  return run('npx', ['-y', packageManager(), ...args], options)
}

/** Runs a tool of the clone, such as turbo or vitest. */
export function tool(args, options) {
  return pnpm(['exec', ...args], options)
}

/** Installs what the lockfile says; at once when that was done before, by this Node, for this lockfile. */
export async function install() {
  const wanted = { lockfile: digest(readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8')), node: nodeAbi() }
  const present = JSON.parse(readIfThere(STAMP) ?? '{}')
  if (present.lockfile === wanted.lockfile && present.node === wanted.node) return { code: 0, output: '' }
  say('Installing dependencies; the first time takes a minute or two …')
  let result = await pnpm(['install', '--frozen-lockfile', '--prod=false'], { quiet: true, env: { CI: 'true' } })
  // Native modules were compiled for the Node that installed them, and pnpm leaves them as they are.
  const compiledForAnother = present.node !== undefined && present.node !== wanted.node
  if (result.code === 0 && compiledForAnother) result = await pnpm(['rebuild', '--recursive', 'better-sqlite3'], { quiet: true })
  if (result.code === 0) writeFileSync(STAMP, `${JSON.stringify(wanted)}\n`)
  return result
}

/** Runs `work` while no other process installs or builds in this clone. */
export async function alone(work) {
  const lock = join(tmpdir(), `moorage-setup-${digest(ROOT).slice(0, 16)}.lock`)
  let told = false
  while (!(await lockIsOurs(lock))) {
    if (!told)
      say(`Waiting for another npm start or npm test that is installing or building in this clone. If there is none, remove ${lock}`)
    told = true
    await delay(300)
  }
  const release = () => rmSync(lock, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

async function lockIsOurs(lock) {
  const mine = String(process.pid)
  try {
    writeFileSync(lock, mine, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (isRunning(Number(readIfThere(lock) ?? mine))) return false
  writeFileSync(lock, mine)
  // Two that find the same dead owner both write: the later one keeps it.
  await delay(100)
  return readIfThere(lock) === mine
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function nodeAbi() {
  return `${process.platform} ${process.arch} ${process.versions.modules}`
}

function packageManager() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).packageManager
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex')
}
