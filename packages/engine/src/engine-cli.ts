import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { childEnvironment, type Environment } from './child-environment.js'
import { describeError } from './engine-error.js'
import { compareVersions, minimumServer, parseServerVersion } from './server-version.js'

const run = promisify(execFile)
const versionTimeoutMs = 20_000

/** The reason for a file that is not there. */
export const missing = 'does not exist'

/** Where a CLI came from. */
export type EngineCliSource = 'TEMPORAL_CLI' | 'PATH' | 'cache' | 'download' | 'go install'

/** A Temporal CLI that has been run and whose server is new enough. */
export interface EngineCli {
  /** Absolute path of the binary. */
  readonly path: string
  /** Version of the server inside, such as `1.29.1`. */
  readonly server: string
  readonly source: EngineCliSource
}

/** A usable CLI, or the reason why it is none, as the end of a sentence whose subject is the file. */
export type CliCheck = { readonly server: string } | { readonly reason: string }

/** Runs `temporal --version` and judges what it prints. */
export async function checkCli(path: string, env?: Environment): Promise<CliCheck> {
  let output: string
  try {
    output = await printVersion(path, env)
  } catch (error) {
    return { reason: describeFailure(error) }
  }
  const server = parseServerVersion(output)
  if (server === undefined) return { reason: `is no Temporal CLI (it printed "${output.trim().split('\n')[0]?.slice(0, 80) ?? ''}")` }
  if (compareVersions(server, minimumServer) < 0)
    return { reason: `has Temporal server ${server}, and ${minimumServer} or newer is needed` }
  return { server }
}

async function printVersion(path: string, env: Environment | undefined): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { stdout } = await run(path, ['--version'], { timeout: versionTimeoutMs, killSignal: 'SIGKILL', env: childEnvironment(env) })
      return stdout
    } catch (error) {
      // A process forked elsewhere in this one while the file was being written holds it open for writing until its exec.
      if (errorCode(error) !== 'ETXTBSY' || attempt === 5) throw error
      await delay(50)
    }
  }
}

function describeFailure(error: unknown): string {
  const code = errorCode(error)
  if (code === 'ENOENT') return missing
  if (code === 'EACCES') return 'is not an executable file'
  if (error instanceof Error && 'killed' in error && error.killed === true)
    return `did not answer --version within ${versionTimeoutMs / 1000} s`
  if (typeof code === 'number') return `is no Temporal CLI (asked for its --version, it ended with code ${code})`
  if (code === 'ENOEXEC') return 'is no program of this system'
  return `cannot be run (${describeError(error).trim().split('\n').join(' ')})`
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
