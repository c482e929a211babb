import { setTimeout as delay } from 'node:timers/promises'
import { describeError } from './engine-error.js'
import type { ServerRun } from './server-run.js'

/** A server that was started again after it had died. */
export interface EngineRestart {
  /** Process id of the new server. */
  readonly pid: number
  /** How many times it has been started again by now. */
  readonly restarts: number
  /** How the one before ended, in words. */
  readonly reason: string
}

export interface SuperviseOptions {
  readonly first: ServerRun
  /** Starts another server in the same place and waits until it serves. */
  readonly start: (signal: AbortSignal) => Promise<ServerRun>
  /** Wait before a first restart; doubles up to `maxDelayMs` while restarts fail or do not last. */
  readonly delayMs: number
  readonly maxDelayMs: number
  readonly onRestart: (restart: EngineRestart) => void
  readonly onProgress: (line: string) => void
}

export interface Supervision {
  /** The server that runs, or ran last. */
  readonly current: () => ServerRun
  /** Resolves once it is stopped for good. */
  readonly over: Promise<void>
  /** Begins to stop it; `over` tells when that is done. */
  stop(): void
}

/** A server that ran this long has shown that it can. */
const provenMs = 60_000

/** Keeps a server running until `stop`. */
export function supervise(options: SuperviseOptions): Supervision {
  const stopping = new AbortController()
  let run = options.first
  const loop = async (): Promise<void> => {
    let wait = options.delayMs
    for (let restarts = 1; ; restarts++) {
      const begun = performance.now()
      await aborted(AbortSignal.any([run.gone, stopping.signal]))
      if (stopping.signal.aborted) return
      const reason = run.ending()
      options.onProgress(`Temporal's dev server (pid ${run.server.pid}) is gone: ${reason}. Starting it again.`)
      wait = performance.now() - begun > provenMs ? options.delayMs : wait
      const next = await restart(options, stopping.signal, wait)
      if (next === undefined) return
      run = next
      wait = Math.min(wait * 2, options.maxDelayMs)
      options.onRestart({ pid: run.server.pid, restarts, reason })
    }
  }
  const untilStopped = async (): Promise<void> => {
    try {
      await loop()
    } finally {
      await run.stop()
    }
  }
  const over = untilStopped()
  return {
    current: () => run,
    over,
    stop: () => stopping.abort(),
  }
}

/** Tries until a start succeeds; undefined where the signal came first. */
async function restart(options: SuperviseOptions, signal: AbortSignal, firstDelayMs: number): Promise<ServerRun | undefined> {
  for (let wait = firstDelayMs; ; wait = Math.min(wait * 2, options.maxDelayMs)) {
    await delay(wait, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return undefined
    try {
      return await options.start(signal)
    } catch (error) {
      if (signal.aborted) return undefined
      options.onProgress(describeError(error))
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
