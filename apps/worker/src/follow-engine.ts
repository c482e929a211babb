import { setTimeout as delay } from 'node:timers/promises'
import { findRunningEngine } from '@moorage/engine'
import type { TaskWorker, WorkerStatus } from '@moorage/workflow/worker'
import type { Logger } from 'pino'

export interface FollowEngineOptions {
  readonly dataDir: string
  /** Where the engine is now. */
  readonly address: string
  /** A worker for the engine at that address. */
  readonly createWorker: (address: string) => TaskWorker
  readonly logger: Logger
  /** @default 1000 */
  readonly lookEveryMs?: number
}

/**
 * A worker that goes where the engine of a data folder goes. An engine that is started again is mostly found at its address again, and the worker
 * connects anew by itself; where that port was taken meanwhile, `engine.json` says the new one, and another worker takes over. While there is no
 * engine it waits for the next, however long that takes.
 */
export function followEngine({ dataDir, address: first, createWorker, logger, lookEveryMs = 1000 }: FollowEngineOptions): TaskWorker {
  const stopping = new AbortController()
  // An engine that is gone holds up the worker that had it: what that still runs is fenced, and ends beside the next one.
  const ends: Promise<void>[] = []
  let address = first
  let worker = createWorker(address)
  let following: Promise<void> | undefined

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      const engine = await findRunningEngine(dataDir).catch(() => undefined)
      if (stopping.signal.aborted || engine === undefined || engine.address === address) continue
      logger.info({ from: address, to: engine.address }, 'the engine has another address now')
      address = engine.address
      ends.push(worker.stop())
      worker = createWorker(address)
      worker.start()
    }
  }

  return {
    start: () => {
      worker.start()
      following ??= follow()
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([worker.stop(), following, ...ends])
    },
    status: (): WorkerStatus => worker.status(),
  }
}
