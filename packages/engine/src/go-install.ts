import { execFile, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { childEnvironment, type Environment } from './child-environment.js'
import { describeError } from './engine-error.js'
import { findOnPath, programFile } from './on-path.js'
import { compareVersions } from './server-version.js'

const run = promisify(execFile)
const minimumGo = '1.25'

export interface GoInstallOptions {
  /** Module version, such as `v1.5.1`. */
  readonly version: string
  /** A new folder that the build may fill; the caller removes it. */
  readonly workDir: string
  readonly path: string | undefined
  readonly env: Environment | undefined
  readonly timeoutMs: number
  readonly progressEveryMs: number
  readonly onProgress: (line: string) => void
}

/** The command, as a person would type it. */
export function goInstallCommand(version: string): string {
  return `go install github.com/temporalio/cli/cmd/temporal@${version}`
}

/** Builds the CLI through the Go module proxy and returns the binary's path inside `workDir`. */
export async function goInstall(options: GoInstallOptions): Promise<string> {
  const go = (await findOnPath('go', options.path))[0]
  if (go === undefined) throw new Error(`there is no Go in PATH (${minimumGo} or newer is needed)`)
  const env = childEnvironment(options.env, options.path)
  await requireGo(go, env)
  await mkdir(options.workDir, { recursive: true })
  await build(go, options, { ...env, GOBIN: options.workDir, CGO_ENABLED: '0' })
  return join(options.workDir, programFile('temporal'))
}

async function requireGo(go: string, env: Record<string, string>): Promise<void> {
  const { stdout } = await run(go, ['version'], { env, timeout: 20_000 })
  const version = /go(\d+\.\d+(?:\.\d+)?)/.exec(stdout.replace(/^go version /, ''))?.[1]
  if (version === undefined) throw new Error(`${go} printed no Go version`)
  if (compareVersions(version, minimumGo) < 0) throw new Error(`${go} is Go ${version}, and ${minimumGo} or newer is needed`)
}

async function build(go: string, options: GoInstallOptions, env: Record<string, string>): Promise<void> {
  const { version, workDir, onProgress } = options
  const flags = `-s -w -X github.com/temporalio/cli/temporalcli.Version=${version.replace(/^v/, '')}`
  // With -v it names each package as it comes to it.
  const args = ['install', '-v', '-ldflags', flags, `github.com/temporalio/cli/cmd/temporal@${version}`]
  const child = spawn(go, args, { cwd: workDir, env, stdio: ['ignore', 'ignore', 'pipe'], timeout: options.timeoutMs })
  const tail: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    tail.push(line)
    if (tail.length > 8) tail.shift()
  })
  const begun = performance.now()
  const elapsed = () => `${Math.round((performance.now() - begun) / 1000)} s`
  onProgress('Building the Temporal CLI with Go; this takes some minutes, once.')
  const ticker = setInterval(
    () => onProgress(`Building the Temporal CLI with Go (${elapsed()}): ${tail.at(-1) ?? 'compiling'}`),
    options.progressEveryMs,
  )
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
    if (code === 0) return
    const how = code === null ? `was ended after ${elapsed()}` : `failed with code ${code}`
    throw new Error([`${how}`, ...tail].join('\n    '))
  } catch (error) {
    throw new Error(describeError(error), { cause: error })
  } finally {
    clearInterval(ticker)
  }
}
