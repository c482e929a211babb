import { execFile, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { childEnvironment, type Environment } from './child-environment.js'
import { describeError } from './engine-error.js'
import { findOnPath } from './on-path.js'
import { compareVersions } from './server-version.js'

const run = promisify(execFile)
const minimumGo = '1.25'

export interface GoInstallOptions {
  /** What is built, for progress, such as `the Temporal CLI`. */
  readonly what: string
  /** Commands of one module with its version, such as `example.org/module/cmd/program@v1.2.3`. */
  readonly packages: readonly string[]
  /** Flags for the linker. */
  readonly ldflags: string
  /** A new folder that the build may fill; the caller removes it. */
  readonly workDir: string
  /** Where `go` is looked for, from `PATH`. */
  readonly path?: string | undefined
  /** Environment of `go`, which needs its proxy settings from it. @default only `HOME` */
  readonly env?: Environment | undefined
  /** Ends the build. */
  readonly signal?: AbortSignal | undefined
  /** Longest build. @default 1_800_000 */
  readonly timeoutMs?: number | undefined
  /** How often a running build is reported. @default 5_000 */
  readonly progressEveryMs?: number | undefined
  /** Told what is being done, a line at a time. */
  readonly onProgress?: ((line: string) => void) | undefined
}

/** The command, as a person would type it. */
export function goInstallCommand(packages: readonly string[]): string {
  return `go install ${packages.join(' ')}`
}

/**
 * Builds commands through the Go module proxy; each is then in `workDir` under the last element of its import path.
 * @throws Error without Go, with one that is too old, and with the last lines of a build that failed or was ended.
 */
export async function goInstall(options: GoInstallOptions): Promise<void> {
  const go = (await findOnPath('go', options.path))[0]
  if (go === undefined) throw new Error(`there is no Go in PATH (${minimumGo} or newer is needed)`)
  const env = childEnvironment(options.env, options.path)
  await requireGo(go, env)
  await mkdir(options.workDir, { recursive: true })
  options.signal?.throwIfAborted()
  await build(go, options, { ...env, GOBIN: options.workDir, CGO_ENABLED: '0' })
}

async function requireGo(go: string, env: Record<string, string>): Promise<void> {
  const { stdout } = await run(go, ['version'], { env, timeout: 20_000 })
  const version = /go(\d+\.\d+(?:\.\d+)?)/.exec(stdout.replace(/^go version /, ''))?.[1]
  if (version === undefined) throw new Error(`${go} printed no Go version`)
  if (compareVersions(version, minimumGo) < 0) throw new Error(`${go} is Go ${version}, and ${minimumGo} or newer is needed`)
}

async function build(go: string, options: GoInstallOptions, env: Record<string, string>): Promise<void> {
  const { what, workDir: cwd, signal, timeoutMs: timeout = 1_800_000, progressEveryMs = 5_000, onProgress } = options
  // With -v it names each package as it comes to it.
  const args = ['install', '-v', '-ldflags', options.ldflags, ...options.packages]
  const child = spawn(go, args, { cwd, env, timeout, stdio: ['ignore', 'ignore', 'pipe'] })
  const closed = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const end = () => child.kill()
  signal?.addEventListener('abort', end)
  const tail: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    tail.push(line)
    if (tail.length > 8) tail.shift()
  })
  const begun = performance.now()
  const elapsed = () => `${Math.round((performance.now() - begun) / 1000)} s`
  onProgress?.(`Building ${what} with Go; this takes some minutes, once.`)
  const ticker = setInterval(() => onProgress?.(`Building ${what} with Go (${elapsed()}): ${tail.at(-1) ?? 'compiling'}`), progressEveryMs)
  try {
    const code = await closed
    if (code === 0) return
    const how = code === null ? `was ended after ${elapsed()}` : `failed with code ${code}`
    throw new Error([`${how}`, ...tail].join('\n    '))
  } catch (error) {
    throw new Error(describeError(error), { cause: error })
  } finally {
    clearInterval(ticker)
    signal?.removeEventListener('abort', end)
  }
}
