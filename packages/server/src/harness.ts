import type { Agent } from '@moorage/agent'
import type { BindingContext } from './binding.js'
import { createApp } from './create-app.js'
import { createHandlers } from './dispatch.js'
import type { HarnessOptions } from './harness-options.js'
import { mountPaths } from './mount-paths.js'
import { createOperations } from './operations/operations.js'
import { authenticate } from './principal.js'
import type { Phase } from './readiness.js'
import { requireInteger } from './require-integer.js'
import { requireOptions } from './require-options.js'
import { createOpenRequests } from './scope.js'

/** An agent as a Fetch handler: serve it (`@moorage/server/node`), or mount it in another application. */
export interface Harness {
  /** Starts the worker, then takes requests; until then each of them is 503. */
  start(): Promise<void>
  /**
   * Takes no more requests, ends the open streams and waits, answers what is being answered, then stops the worker. A request whose body
   * does not come holds this up until its host ends the connection.
   */
  stop(): Promise<void>
  /** @param env what the host knows of the connection: the bindings of `@hono/node-server`, or nothing */
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>
}

/** @throws TypeError that names the option which is wrong */
export function createHarness(agent: Agent, options: HarnessOptions): Harness {
  requireOptions(agent, options)
  const { card, store, worker, logger, keepAliveMs = 15_000, basePath = '' } = options
  requireInteger('createHarness: keepAliveMs', keepAliveMs, 1)
  let phase: Phase = 'not started'
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined
  const requests = createOpenRequests()
  const operations = createOperations({ agent, ...options })
  const context: BindingContext = { card, handlers: createHandlers(operations), authenticate, requests, logger, keepAliveMs }
  const inFlight = new Set<Promise<unknown>>()
  const app = createApp(context, {
    operations,
    paths: mountPaths(card, basePath),
    mediaType: options.mediaType ?? 'application/a2a+json',
    limits: options.limits ?? {},
    readiness: { phase: () => phase, store, worker, degraded: options.degraded ?? (() => []), logger },
  })

  async function start(): Promise<void> {
    await worker?.start()
    if (!stopping) phase = 'started'
  }

  async function stop(): Promise<void> {
    phase = 'draining'
    requests.closeAll()
    await Promise.allSettled([starting, ...inFlight])
    await worker?.stop()
  }

  return {
    async start() {
      if (stopping) throw new Error('The harness has been stopped: create another one')
      starting ??= start()
      await starting
    },
    stop: () => (stopping ??= stop()),
    fetch(request, env) {
      const answered: Promise<Response> = Promise.resolve(app.fetch(request, env)).finally(() => inFlight.delete(answered))
      inFlight.add(answered)
      return answered
    },
  }
}
