import { setTimeout as pause } from 'node:timers/promises'
import type { RunningProcess } from './running-process.js'

/** What becomes of a process that is kept running. */
export type ProcessEvent =
  | { readonly kind: 'up'; readonly name: string; readonly pid: number; readonly starts: number; readonly tookMs: number }
  | { readonly kind: 'down'; readonly name: string; readonly pid: number; readonly how: string }
  | { readonly kind: 'failed'; readonly name: string; readonly reason: string }

export interface KeepRunningOptions {
  readonly name: string
  /** Starts the process and resolves when it serves. Once the signal is aborted it rejects, and leaves nothing behind. */
  readonly start: (signal: AbortSignal) => Promise<RunningProcess>
  readonly onEvent: (event: ProcessEvent) => void
  /** Wait before it is started again; doubles up to `maxDelayMs` while it does not last. @default 200 */
  readonly delayMs?: number
  /** @default 5_000 */
  readonly maxDelayMs?: number
  /** From which age on a process has lasted. @default 10_000 */
  readonly provenMs?: number
}

/** A process that is started again whenever it ends. */
export interface KeptProcess {
  readonly name: string
  /** Undefined while it does not run. */
  pid(): number | undefined
  /** Ends it for good. */
  stop(): Promise<void>
}

/** Starts a process and keeps it running until `stop`. @throws what its first start rejects with */
export async function keepRunning(options: KeepRunningOptions, signal: AbortSignal): Promise<KeptProcess> {
  const { name } = options
  const kept = new Keeper(options)
  await kept.begin(signal)
  return { name, pid: () => kept.current?.pid, stop: () => kept.stop() }
}

class Keeper {
  current: RunningProcess | undefined
  readonly #options: KeepRunningOptions
  readonly #stopping = new AbortController()
  #starts = 0
  #over: Promise<void> | undefined

  constructor(options: KeepRunningOptions) {
    this.#options = options
  }

  async begin(signal: AbortSignal): Promise<void> {
    const first = await this.#start(signal)
    this.#over = this.#keep(first)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.current?.stop()
    await this.#over
  }

  async #start(signal: AbortSignal): Promise<RunningProcess> {
    const begun = performance.now()
    const running = await this.#options.start(signal)
    this.current = running
    this.#starts++
    const { name, onEvent } = this.#options
    onEvent({ kind: 'up', name, pid: running.pid, starts: this.#starts, tookMs: performance.now() - begun })
    return running
  }

  async #keep(first: RunningProcess): Promise<void> {
    const { name, onEvent, delayMs = 200, maxDelayMs = 5_000, provenMs = 10_000 } = this.#options
    let running: RunningProcess | undefined = first
    let wait = delayMs
    while (running !== undefined) {
      const begun = performance.now()
      const how = await running.ended
      this.current = undefined
      if (this.#stopping.signal.aborted) return
      onEvent({ kind: 'down', name, pid: running.pid, how })
      wait = performance.now() - begun > provenMs ? delayMs : Math.min(wait * 2, maxDelayMs)
      running = await this.#startAgain(wait)
    }
  }

  /** Tries until a start succeeds; undefined where `stop` came first. */
  async #startAgain(firstDelayMs: number): Promise<RunningProcess | undefined> {
    const { name, onEvent, maxDelayMs = 5_000 } = this.#options
    const { signal } = this.#stopping
    for (let wait = firstDelayMs; ; wait = Math.min(wait * 2, maxDelayMs)) {
      await pause(wait, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return undefined
      try {
        const running = await this.#start(signal)
        // A stop that came in the last moment of the start has not seen this process.
        if (signal.aborted) await running.stop()
        return running
      } catch (error) {
        if (signal.aborted) return undefined
        onEvent({ kind: 'failed', name, reason: error instanceof Error ? error.message : String(error) })
      }
    }
  }
}
