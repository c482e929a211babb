import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ClusterError } from '../cluster-error.js'
import { probe } from '../probe.js'
import { tailOf } from './log-file.js'
import type { RunningProcess } from './running-process.js'

export interface StartNodeOptions {
  /** For messages. */
  readonly name: string
  /** The program. */
  readonly file: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Gets what the process writes, at its end. */
  readonly logFile: string
  /** Answers 200 once the process serves. */
  readonly readyUrl: string
  /** @default 30_000 */
  readonly readyTimeoutMs?: number
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number
}

/**
 * Starts a Node program that stops when its IPC channel closes, as both apps do: then it does not outlive this process, even one that is killed.
 * Resolves once it serves. It has a session of its own, so that Ctrl-C does not reach it past this process.
 * @throws ClusterError with the end of its log where it ends before it serves; nothing is left running.
 */
export async function startNode(options: StartNodeOptions, signal: AbortSignal): Promise<RunningProcess> {
  signal.throwIfAborted()
  const log = openSync(options.logFile, 'a')
  const { file, cwd, env } = options
  const child = spawn(process.execPath, [file], { cwd, env, detached: true, stdio: ['ignore', log, log, 'ipc'] })
  closeSync(log)
  const running = describe(child, options.graceMs)
  const over = new AbortController()
  const early = running.ended.then((how) => {
    over.abort()
    throw new ClusterError(`${options.name} ended ${how} before it served. The end of ${options.logFile}:\n${tailOf(options.logFile)}`)
  })
  try {
    await Promise.race([early, untilReady(options, AbortSignal.any([signal, over.signal]))])
    return running
  } catch (error) {
    await running.stop()
    throw error
  }
}

function describe(child: ChildProcess, graceMs: number): RunningProcess {
  const ended = once(child, 'exit').then(
    ([code, signal]: unknown[]) => (signal === null ? `with code ${String(code)}` : `by ${String(signal)}`),
    (error: unknown) => `because it could not be started: ${String(error)}`,
  )
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs)
    await ended
    clearTimeout(force)
  }
  return { pid: child.pid ?? 0, ended, stop }
}

async function untilReady({ name, readyUrl, readyTimeoutMs = 30_000 }: StartNodeOptions, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs
  while (performance.now() < deadline) {
    if (await probe(readyUrl, 2_000, signal)) return
    await pause(50, undefined, { signal })
  }
  throw new ClusterError(`${name} did not answer 200 at ${readyUrl} within ${readyTimeoutMs / 1000} s.`)
}
