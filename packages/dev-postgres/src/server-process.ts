import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Account } from './server-account.js'
import { watchedArguments } from './watched-arguments.js'

const READY = 'database system is ready to accept connections'
const KEPT_LINES = 20

/** A server that did not start, and what it said. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly log: string

  constructor(log: string) {
    super(`Postgres did not start: ${log || 'it said nothing'}`)
    this.log = log
  }
}

/** One run of the server. */
export class ServerProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#ended = once(child, 'exit').finally(() => child.stdin?.destroy())
  }

  /** Resolves when it accepts connections. @throws {StartError} */
  static async start(postgres: string, args: readonly string[], account: Account): Promise<ServerProcess> {
    // In a session of its own: Ctrl-C in a terminal is for the parent, which stops it when it has done with it.
    const options: SpawnOptions = { ...account, cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'pipe'] }
    const child = spawn('/bin/sh', watchedArguments(postgres, args), options)
    const server = new ServerProcess(child)
    await server.#ready()
    child.unref()
    for (const pipe of [child.stdin, child.stderr]) (pipe as Socket).unref()
    return server
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Resolves when it has ended. */
  async stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    if (!this.running) return
    // It is waited for: without this, a process with nothing else to do would end here.
    this.#child.ref()
    this.#child.kill(signal)
    await this.#ended
  }

  #ready(): Promise<void> {
    const lines: string[] = []
    return new Promise((resolve, reject) => {
      // Read to the end, or the server would wait for somebody to read what it says.
      createInterface({ input: this.#child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
        if (line.includes(READY)) resolve()
        lines.push(line)
        if (lines.length > KEPT_LINES) lines.shift()
      })
      this.#ended.catch(reject)
      // Not its exit: what it said last comes after that.
      this.#child.once('close', () => reject(new StartError(lines.join('\n'))))
    })
  }
}
