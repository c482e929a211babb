import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Link } from './link.js'
import { startNode } from './started.js'
import type { Victim } from './victim.js'

const LOOK_MS = 50
const READY_MS = 60_000
const STOP_MS = 20_000

export interface KeptAppOptions {
  readonly name: string
  /** Node's arguments. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Gets what it writes, at its end. */
  readonly logFile: string
  /** Answers 200 once it serves. */
  readonly readyUrl: string
  readonly links: readonly Link[]
  /** Told of an end that nobody asked for, once it had served. */
  readonly onCrash: (what: string) => void
}

/** One of the two apps, started again when it is killed, as a service manager would. */
export class KeptApp implements Victim {
  readonly links: readonly Link[]
  readonly #options: KeptAppOptions
  #child: ChildProcess | undefined
  #expectsEnd = false
  #stopped = false

  constructor(options: KeptAppOptions) {
    this.#options = options
    this.links = options.links
  }

  get name(): string {
    return this.#options.name
  }

  /** Resolves when it serves; one that ends before that, since what it needs is away, is started again. */
  async start(): Promise<void> {
    const deadline = performance.now() + READY_MS
    while (performance.now() < deadline && !this.#stopped) {
      const child = this.#spawn()
      if (await this.#serves(child, deadline)) return this.#watch(child)
      await pause(LOOK_MS)
    }
    if (!this.#stopped) throw new Error(`${this.#options.name} did not serve within ${READY_MS / 1000} s: see ${this.#options.logFile}`)
  }

  async pids(): Promise<readonly number[]> {
    const { pid } = this.#child ?? {}
    return pid === undefined ? [] : [pid]
  }

  async kill(deadMs: number): Promise<void> {
    await this.#end('SIGKILL')
    await pause(deadMs)
    await this.start()
  }

  /** Ends it in order, for good; resolves with its exit code, null where a signal ended it. */
  stop(): Promise<number | null> {
    this.#stopped = true
    return this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    if (child === undefined || hasEnded(child)) return child?.exitCode ?? null
    this.#expectsEnd = true
    const ended = once(child, 'exit')
    child.kill(signal)
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(force)
    return child.exitCode
  }

  #spawn(): ChildProcess {
    const { args, env, logFile } = this.#options
    const log = openSync(logFile, 'a')
    // Ends by itself when its channel closes, so that it does not outlive this process; in a session of its own, Ctrl-C does not reach it.
    const child = startNode(args, { env, detached: true, stdio: ['ignore', log, log, 'ipc'] })
    closeSync(log)
    this.#expectsEnd = false
    this.#child = child
    return child
  }

  async #serves(child: ChildProcess, deadline: number): Promise<boolean> {
    while (!hasEnded(child) && performance.now() < deadline) {
      if (await answers(this.#options.readyUrl)) return true
      await pause(LOOK_MS)
    }
    return false
  }

  #watch(child: ChildProcess): void {
    const { name, logFile, onCrash } = this.#options
    const tell = () => {
      if (this.#expectsEnd) return
      onCrash(`${name} ended by itself (${child.exitCode ?? child.signalCode}): see ${logFile}`)
    }
    if (hasEnded(child)) tell()
    else child.once('exit', tell)
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}
