import { execFile } from 'node:child_process'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { childEnvironment, goInstall, goInstallCommand, programFile, sweepTemporary, temporaryBeside } from '@moorage/engine/programs'
import { ClusterError } from '../cluster-error.js'

const run = promisify(execFile)
const VERSION = '1.29.1'
const PACKAGES = ['server', 'tools/sql'].map((command) => `go.temporal.io/server/cmd/${command}@v${VERSION}`)

/** Temporal's own server, and the tool that makes its schema, as absolute paths. */
export interface ServerPrograms {
  readonly server: string
  readonly schemaTool: string
}

export interface EnsureServerOptions {
  /** Where the programs are kept. */
  readonly cacheDir: string
  /** Environment of the processes that are started; `go` is looked for in its `PATH` and needs its proxy settings. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly onProgress: (line: string) => void
  /** @default 5_000 */
  readonly progressEveryMs?: number | undefined
}

/**
 * The programs from the cache, else built there with Go. They appear in their place together and checked, or not at all; two processes may build
 * at once.
 * @throws ClusterError where they cannot be built; the signal's reason where it ends the build
 */
export async function ensureServer(options: EnsureServerOptions): Promise<ServerPrograms> {
  const place = join(options.cacheDir, `temporal-server-${VERSION}`)
  if ((await faultOf(place, options)) === undefined) return programsIn(place)
  const draft = temporaryBeside(place)
  try {
    await mkdir(dirname(place), { recursive: true })
    await sweepTemporary(place)
    await build(draft, options)
    await move(draft, place, options)
  } catch (error) {
    options.signal.throwIfAborted()
    throw new ClusterError(unobtainable(error), { cause: error })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  options.onProgress(`Temporal's server ${VERSION} is in ${place}.`)
  return programsIn(place)
}

async function build(workDir: string, options: EnsureServerOptions): Promise<void> {
  const { env, signal, onProgress, progressEveryMs } = options
  const what = `Temporal's server ${VERSION} and its schema tool`
  const ldflags = '-s -w'
  await goInstall({ what, packages: PACKAGES, ldflags, workDir, path: env['PATH'], env, signal, onProgress, progressEveryMs })
  const fault = await faultOf(workDir, options)
  if (fault !== undefined) throw new Error(`what was built cannot be used: ${fault}`)
}

/** Another process may be faster, at any moment, and then its programs are used; what is in the place and does not work gives way. */
async function move(draft: string, place: string, options: EnsureServerOptions): Promise<void> {
  try {
    await rename(draft, place)
  } catch (error) {
    if ((await faultOf(place, options)) === undefined) return
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw error
    const aside = temporaryBeside(place)
    await rename(place, aside).catch((gone: unknown) => (hasCode(gone, 'ENOENT') ? undefined : Promise.reject(gone)))
    await rm(aside, { recursive: true, force: true })
    await move(draft, place, options)
  }
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Runs both programs; undefined where both are of this version. */
async function faultOf(folder: string, { env }: EnsureServerOptions): Promise<string | undefined> {
  for (const program of Object.values(programsIn(folder))) {
    try {
      const { stdout } = await run(program, ['--version'], { env: childEnvironment(env), timeout: 20_000 })
      if (!stdout.includes(`version ${VERSION}`)) return `${program} is not ${VERSION} but says: ${stdout.trim().slice(0, 80)}`
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  return undefined
}

function programsIn(folder: string): ServerPrograms {
  return { server: join(folder, programFile('server')), schemaTool: join(folder, programFile('sql')) }
}

function unobtainable(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return [
    `Temporal's server could not be built: ${reason}`,
    'There is no download of it: it is built, once, with Go 1.25 or newer (https://go.dev/dl), from Go’s module proxy. The command is:',
    `  ${goInstallCommand(PACKAGES)}`,
    'Without Go, npm start needs none of this: it runs the same agent on one machine with Temporal’s dev server.',
  ].join('\n')
}
