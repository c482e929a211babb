import type { Agent } from '@moorage/agent'
import { createAuthentication } from './authentication/authenticate.js'
import { authenticationRequest } from './authentication/authentication-request.js'
import { ANONYMOUS_IDENTITY } from './authentication/identity.js'
import type { BindingContext } from './binding.js'
import { connectionAddress, connectionPeer } from './connection.js'
import { createApp } from './create-app.js'
import { createHandlers } from './dispatch.js'
import type { HarnessOptions } from './harness-options.js'
import { mountPaths } from './mount-paths.js'
import { createOpenStreams } from './open-streams.js'
import { createOperations } from './operations/operations.js'
import type { Phase } from './readiness.js'
import { requireOptions } from './require-options.js'
import { createOpenRequests } from './scope.js'

/** An agent as a Fetch handler: serve it (`@moorage/server/node`), or mount it in another application. */
export interface Harness {
  /** Starts the worker, then takes requests; until then each of them is 503. */
  start(): Promise<void>
  /** Says 503 on `/readyz` from now on, and resolves after `drainDelayMs`; until then requests are still taken. */
  drain(): Promise<void>
  /**
   * Drains, then takes no more requests, ends the open streams, each with the id to go on from, and the waits, answers what is being answered,
   * and stops the worker. A request whose body does not come holds this up until its host ends the connection.
   */
  stop(): Promise<void>
  /** @param env what the host knows of the connection: the bindings of `@hono/node-server`, or nothing */
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>
}

function authentication(agent: Agent, { authenticate: authenticators, card, logger }: HarnessOptions): BindingContext['authenticate'] {
  if (authenticators === undefined) return async () => ANONYMOUS_IDENTITY
  const authenticate = createAuthentication({ authenticators, card, realm: agent.id, logger })
  return (c) => authenticate(authenticationRequest(c, connectionAddress(c)))
}

/** @throws TypeError that names the option which is wrong */
export function createHarness(agent: Agent, options: HarnessOptions): Harness {
  requireOptions(agent, options)
  const { card, store, worker, logger, keepAliveMs = 15_000, drainDelayMs = 0, basePath = '' } = options
  let phase: Phase = 'not started'
  let starting: Promise<void> | undefined
  let draining: Promise<void> | undefined
  let stopping: Promise<void> | undefined
  const requests = createOpenRequests()
  const { limits = {} } = options
  const operations = createOperations({ agent, ...options, authenticated: options.authenticate !== undefined })
  const unknownExtensions = options.unknownExtensions ?? 'refuse'
  const context: BindingContext = {
    card,
    handlers: createHandlers(operations),
    authenticate: authentication(agent, options),
    authenticated: options.authenticate !== undefined,
    requests,
    streams: createOpenStreams({ perPeer: limits.streamsPerPeer ?? 100, inAll: limits.streams ?? 10_000 }),
    peer: limits.peer ?? connectionPeer,
    logger,
    keepAliveMs,
    unknownExtensions,
  }
  const inFlight = new Set<Promise<unknown>>()
  const app = createApp(context, {
    operations,
    signedCard: options.signedCard,
    paths: mountPaths(card, basePath),
    mediaType: options.mediaType ?? 'application/a2a+json',
    limits,
    openApi: options.openApi ?? true,
    monitored: (options.monitor ?? true) ? { store, agent: agent.id } : undefined,
    readiness: { phase: () => phase, store, worker, degraded: options.degraded ?? (() => []), logger },
  })

  async function start(): Promise<void> {
    await worker?.start()
    if (!draining) phase = 'started'
  }

  async function drain(): Promise<void> {
    if (phase !== 'started') return
    phase = 'draining'
    if (drainDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, drainDelayMs))
  }

  async function stop(): Promise<void> {
    draining ??= drain()
    // Without a delay nothing may slip in between.
    if (drainDelayMs > 0) await draining
    phase = 'stopping'
    requests.closeAll()
    await Promise.allSettled([starting, ...inFlight])
    await worker?.stop()
  }

  return {
    async start() {
      if (draining) throw new Error('The harness has been stopped: create another one')
      starting ??= start()
      await starting
    },
    drain: () => (draining ??= drain()),
    stop: () => (stopping ??= stop()),
    fetch(request, env) {
      const answered: Promise<Response> = Promise.resolve(app.fetch(request, env)).finally(() => inFlight.delete(answered))
      inFlight.add(answered)
      return answered
    },
  }
}
