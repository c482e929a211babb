import type { ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Finding, found } from './finding.js'
import { startNode } from './started.js'

const CLUSTER_FILE = fileURLToPath(new URL('../../../apps/cluster/dist/main.js', import.meta.url))
/** The server of Temporal is built on the first time. */
const READY_MS = 30 * 60_000
const STOP_MS = 60_000
const RUNS = /^(.+) runs(?: again)? \(pid (\d+), /
const ENDED = /^(.+) \(pid (\d+)\) has ended /

/** `npm run cluster`, and what it says of its processes. */
export class ClusterProcess {
  /** What has ended though nobody killed it. */
  readonly crashes: Finding[] = []
  readonly #child: ChildProcess
  readonly #pids = new Map<string, number>()
  readonly #starts = new EventEmitter()
  readonly #killed = new Set<number>()
  readonly #logFile: string

  private constructor(child: ChildProcess, logFile: string) {
    this.#child = child
    this.#logFile = logFile
  }

  /** Resolves once all of it runs. */
  static async start(env: Readonly<Record<string, string>>, logFile: string, signal: AbortSignal): Promise<ClusterProcess> {
    // Its second SIGTERM, after that of `signal`, has it kill what it has started.
    const child = startNode([CLUSTER_FILE], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }, 'SIGTERM')
    signal.addEventListener('abort', () => child.kill('SIGTERM'))
    const cluster = new ClusterProcess(child, logFile)
    await cluster.#listen()
    return cluster
  }

  pid(name: string): number | undefined {
    return this.#pids.get(name)
  }

  /** Says that these are about to be killed, and resolves when the process of that name runs again. */
  async again(name: string, pids: readonly number[], kill: () => void): Promise<void> {
    for (const pid of pids) this.#killed.add(pid)
    const back = once(this.#starts, name, { signal: AbortSignal.timeout(120_000) })
    kill()
    await back
  }

  async stop(): Promise<readonly Finding[]> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return [found('wrong', 'the cluster ended by itself')]
    const ended = once(this.#child, 'exit')
    if (!this.#child.killed) this.#child.kill('SIGTERM')
    const force = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(force)
    const code = this.#child.exitCode
    return code === 0
      ? []
      : [found('wrong', `the cluster ended with ${code ?? 'SIGKILL, since it took too long'} when it was told to stop`)]
  }

  async #listen(): Promise<void> {
    const { stdout, stderr } = this.#child
    if (stdout === null || stderr === null) throw new Error('The cluster has no output')
    createInterface({ input: stderr }).on('line', (line) => this.#hear(line))
    const out = createInterface({ input: stdout })
    out.on('line', (line) => this.#log(line))
    const over = AbortSignal.timeout(READY_MS)
    const ended = once(this.#child, 'exit', { signal: over }).then(() => {
      throw new Error(`The cluster ended before it ran: see ${this.#logFile}`)
    })
    const runs = new Promise<void>((resolve) => out.on('line', (line) => line === 'The cluster runs.' && resolve()))
    await Promise.race([ended, runs])
    ended.catch(() => undefined)
  }

  #hear(line: string): void {
    this.#log(line)
    const [, name = '', pid] = RUNS.exec(line) ?? []
    if (pid !== undefined) {
      this.#pids.set(name, Number(pid))
      this.#starts.emit(name)
    }
    const [, , gone] = ENDED.exec(line) ?? []
    if (gone !== undefined && !this.#killed.has(Number(gone))) this.crashes.push(found('wrong', line))
  }

  #log(line: string): void {
    appendFileSync(this.#logFile, `${line}\n`)
  }
}
