import type { SignedCard } from '@moorage/card'
import { limits } from '@moorage/limits'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { type BindingContext, reportError } from './binding.js'
import { bodyEndedEarly, mediaType } from './body.js'
import { clientHasGone, connectionPeer } from './connection.js'
import { RESTART_SECONDS, Refusal } from './errors.js'
import type { HarnessLimits } from './harness-options.js'
import { v10HttpJson } from './http-json/dialect.js'
import { createHttpJsonHandler, httpJsonErrorResponse } from './http-json/handler.js'
import { type JsonMediaType, negotiate } from './http-json/negotiate.js'
import { createJsonRpcHandler, jsonRpcErrorResponse } from './json-rpc/handler.js'
import { type MonitorOptions, monitor } from './monitor.js'
import { mountCard } from './mount-card.js'
import type { Mount, MountPaths } from './mount-paths.js'
import { PUBLIC_METHODS } from './mount-public.js'
import { mountOpenApi } from './openapi/mount-openapi.js'
import type { Operations } from './operations/operations.js'
import { health, type ReadinessOptions, readiness } from './readiness.js'
import { V0_3 } from './service-parameters.js'
import { toV03Error, v03HttpJson } from './v0-3/http-json.js'

export interface AppOptions {
  readonly operations: Operations
  readonly signedCard: SignedCard | undefined
  readonly paths: MountPaths
  readonly mediaType: JsonMediaType
  readonly limits: HarnessLimits
  readonly readiness: ReadinessOptions
  readonly openApi: boolean
  /** What `/_monitor` shows; undefined: there is no such route. */
  readonly monitored: MonitorOptions | undefined
}

/** Every route of the harness. */
export function createApp(context: BindingContext, options: AppOptions): Hono {
  const app = new Hono()
  const refuse = createRefuse(context, options)
  app.onError((error, c) => refuse(c, error))
  app.notFound((c) => refuse(c, new Refusal('MethodNotFound', { message: 'No such route' })))
  app.use(unlessTaking(options, refuse))
  // Before the limits: a busy peer that shares a probe's address must not make a healthy server look dead.
  app.get('/healthz', () => health(200, { status: 'ok' }))
  app.get('/readyz', () => readiness(options.readiness))
  app.use(limitsOf(options, refuse))
  const documents = [...mountCard(app, context.card, options.signedCard), ...(options.openApi ? mountOpenApi(app, context) : [])]
  for (const path of documents) app.all(path, (c) => refuse(c, notAllowed(...PUBLIC_METHODS)))
  const { monitored } = options
  if (monitored)
    app.get('/_monitor', async (c) => {
      await context.authenticate(c)
      return monitor(monitored)
    })
  for (const path of ['/healthz', '/readyz', ...(monitored ? ['/_monitor'] : [])])
    app.all(path, (c) => refuse(c, notAllowed('GET', 'HEAD')))
  mountBindings(app, context, options, refuse)
  return app
}

function mountBindings(app: Hono, context: BindingContext, { operations, paths, mediaType: type }: AppOptions, refuse: RefuseWith): void {
  for (const { path, versions } of paths.jsonRpc) {
    const jsonRpc = createJsonRpcHandler(context, versions)
    for (const route of withAndWithoutSlash(path)) {
      app.post(route, jsonRpc)
      app.all(route, (c) => refuse(c, notAllowed('POST')))
    }
  }
  const [v03, v10] = [v03HttpJson(context), v10HttpJson(context, operations, type)]
  for (const { path, versions } of paths.httpJson) {
    if (versions.includes(V0_3)) app.all(`${path}/v1/*`, createHttpJsonHandler(context, v03, `${path}/v1`))
    if (versions.includes(v10.version)) app.all(`${path}/*`, createHttpJsonHandler(context, v10, path))
  }
}

/** Clients post to both, and a redirect would lose the body. */
function withAndWithoutSlash(path: string): readonly string[] {
  return path === '' ? ['/'] : [path, `${path}/`]
}

function notAllowed(...allow: readonly string[]): Refusal {
  return new Refusal('MethodNotAllowed', { allow })
}

/** A refusal in the form of the binding whose path was asked for; outside of both, in that of HTTP+JSON. */
type RefuseWith = (c: Context, error: unknown) => Response

function createRefuse(context: BindingContext, options: AppOptions): RefuseWith {
  const jsonRpcPaths = new Set(options.paths.jsonRpc.flatMap(({ path }) => withAndWithoutSlash(path)))
  const under = (pathname: string, version: string, prefix = '') =>
    options.paths.httpJson.some(({ path, versions }: Mount) => versions.includes(version) && pathname.startsWith(`${path}${prefix}/`))
  return function refuse(c, error) {
    const wire = reportError(context, error)
    const { pathname } = new URL(c.req.url)
    if (c.req.method === 'POST' && jsonRpcPaths.has(pathname)) return jsonRpcErrorResponse(wire, null)
    if (under(pathname, V0_3, '/v1')) return httpJsonErrorResponse(wire, 'application/json', {}, { error: toV03Error })
    const type = under(pathname, '1.0')
      ? negotiate(c.req.header('Accept'), mediaType(c.req.header('Content-Type')), options.mediaType)
      : 'application/json'
    return httpJsonErrorResponse(wire, type)
  }
}

function unlessTaking({ readiness: { phase } }: AppOptions, refuse: RefuseWith): MiddlewareHandler {
  return async function unlessTaking(c, next) {
    if (phase() === 'started' || phase() === 'draining' || c.req.path === '/healthz' || c.req.path === '/readyz') return next()
    return refuse(c, new Refusal('Unavailable', { message: `Service unavailable: ${phase()}`, retryAfterSeconds: RESTART_SECONDS }))
  }
}

function limitsOf(
  { limits: { peer = connectionPeer, maxRequestBytes, ratePerMinute } }: AppOptions,
  refuse: RefuseWith,
): MiddlewareHandler {
  const limit = limits({
    peer,
    ...(maxRequestBytes !== undefined && { maxRequestBytes }),
    ...(ratePerMinute !== undefined && { ratePerMinute }),
    refuse: (c, refusal) =>
      refusal.kind === 'too-large'
        ? refuse(c, new Refusal('TooLarge', { message: `Request body too large: send at most ${refusal.limit} bytes` }))
        : refuse(
            c,
            new Refusal('TooFast', {
              message: `Too many requests: send at most ${refusal.limit} a minute`,
              retryAfterSeconds: refusal.retryAfterSeconds,
            }),
          ),
  })
  return async function limitsOf(c, next) {
    try {
      return await limit(c, next)
    } catch (error) {
      // A body without a length is read here.
      throw clientHasGone(c) ? bodyEndedEarly() : error
    }
  }
}
