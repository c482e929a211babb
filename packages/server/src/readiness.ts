import type { TaskStore } from '@moorage/store'
import type { Logger } from './logger.js'
import type { WorkerPort } from './worker-port.js'

/** Requests are taken while `started` and `draining`; of those, only a `started` harness wants more. */
export type Phase = 'not started' | 'started' | 'draining' | 'stopping'

export interface ReadinessOptions {
  readonly phase: () => Phase
  readonly store: TaskStore
  readonly worker?: WorkerPort | undefined
  /** Names what else does not work while requests are taken all the same. */
  readonly degraded: () => readonly string[] | Promise<readonly string[]>
  readonly logger: Logger
}

/**
 * Answers `/readyz`. Without Temporal or a worker messages are still accepted, and run later: that is degraded, and 200. Without its
 * store the server can accept nothing: 503.
 */
export async function readiness({ phase, store, worker, degraded, logger }: ReadinessOptions): Promise<Response> {
  if (phase() !== 'started') return health(503, { status: 'unavailable', unavailable: [phase()] })
  try {
    await store.check()
  } catch (error) {
    logger.error({ err: error }, 'the store does not answer')
    return health(503, { status: 'unavailable', unavailable: ['store'] })
  }
  const names = [...new Set([...(worker && !worker.status().connected ? ['temporal'] : []), ...(await degraded())])]
  return health(200, names.length === 0 ? { status: 'ok' } : { status: 'degraded', degraded: names })
}

/** Answers a health check. */
export function health(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } })
}
