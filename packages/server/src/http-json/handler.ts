import { listTasksQuerySchema } from '@moorage/protocol'
import type { Context } from 'hono'
import { type BindingContext, reportError, respond, withLastEventId } from '../binding.js'
import { mediaType } from '../body.js'
import { type Handler, type OperationName, unary } from '../dispatch.js'
import { Refusal, toHttpJsonError, type WireError } from '../errors.js'
import type { Operations } from '../operations/operations.js'
import { EXTENSIONS_HEADER, resolveExtensions, resolveVersion, VERSION_HEADER } from '../service-parameters.js'
import { sseResponse } from '../sse.js'
import { matchRoute, type Route } from './match-route.js'
import { type JsonMediaType, negotiate } from './negotiate.js'
import { bindFields, readRequest, requireJsonBody } from './read-request.js'

export interface HttpJsonOptions {
  /** What precedes the binding's routes in a URL's path. */
  readonly basePath: string
  readonly mediaType: JsonMediaType
}

/** What is known of a request when it is refused. */
interface Progress {
  headers: Readonly<Record<string, string>>
}

/** The HTTP+JSON binding (A2A §11): every route under the base path, unknown ones too. */
export function createHttpJsonHandler(
  context: BindingContext,
  operations: Operations,
  options: HttpJsonOptions,
): (c: Context) => Promise<Response> {
  // In a query, numbers and booleans are words.
  const handlers = { ...context.handlers, listTasks: unary(listTasksQuerySchema, operations.listTasks) }
  return async function httpJson(c) {
    const type = negotiate(c.req.header('Accept'), mediaType(c.req.header('Content-Type')), options.mediaType)
    const progress: Progress = { headers: {} }
    try {
      return await serve({ ...context, handlers }, c, options.basePath, type, progress)
    } catch (error) {
      return httpJsonErrorResponse(reportError(context, error), type, progress.headers)
    }
  }
}

/** The steps in the order of refusals (architecture.md §4). */
async function serve(context: BindingContext, c: Context, basePath: string, type: JsonMediaType, progress: Progress): Promise<Response> {
  const { card, handlers, keepAliveMs } = context
  const { route, operation } = findOperation(c, basePath)
  requireJsonBody(c)
  const principal = context.authenticate()
  const request = await readRequest(c, operation)
  const version = resolveVersion(card, 'HTTP+JSON', c.req.header(VERSION_HEADER), c.req.query(VERSION_HEADER))
  const extensions = resolveExtensions(card, c.req.header(EXTENSIONS_HEADER), context.unknownExtensions)
  const headers = extensions.length === 0 ? {} : { [EXTENSIONS_HEADER]: extensions.join(', ') }
  progress.headers = headers
  bindFields(request, route, c.req.method === 'POST' ? c.req.queries('tenant') : undefined)

  const handler: Handler = handlers[operation]
  const run = (signal: AbortSignal) =>
    handler(request, withLastEventId({ principal, signal, version, extensions, tenant: route.tenant }, c.req.header('Last-Event-ID')))
  return respond(context, c.req.raw.signal, run, {
    value: (value) => jsonResponse(value, 200, type, headers),
    stream: (events, scope) =>
      sseResponse(events, {
        encode: ({ payload }) => JSON.stringify(payload),
        encodeError: (error) => JSON.stringify(toHttpJsonError(reportError(context, error))),
        keepAliveMs,
        headers,
        scope,
      }),
  })
}

/** @throws Refusal for a path or a verb that no operation has */
function findOperation(c: Context, basePath: string): { readonly route: Route; readonly operation: OperationName } {
  const route = matchRoute(new URL(c.req.url).pathname.slice(basePath.length))
  if (route === undefined) throw new Refusal('MethodNotFound', { message: 'No such route' })
  const operation = route.verbs[verbOf(c.req.method, route)]
  if (operation === undefined) throw new Refusal('MethodNotAllowed', { allow: allowedVerbs(route) })
  return { route, operation }
}

function verbOf(method: string, route: Route): string {
  return method === 'HEAD' && servesHead(route) ? 'GET' : method
}

function allowedVerbs(route: Route): readonly string[] {
  return [...Object.keys(route.verbs), ...(servesHead(route) ? ['HEAD'] : [])]
}

/** HEAD is GET without a body (RFC 9110 §9.3.2), but a stream is nothing without one. */
function servesHead({ verbs }: Route): boolean {
  return verbs['GET'] !== undefined && verbs['GET'] !== 'subscribeToTask'
}

/** An error in the form of this binding (A2A §11.6). */
export function httpJsonErrorResponse(wire: WireError, type: JsonMediaType, headers: Readonly<Record<string, string>> = {}): Response {
  return jsonResponse(toHttpJsonError(wire), wire.row.httpStatus, type, { ...headers, ...wire.headers })
}

function jsonResponse(body: unknown, status: number, type: JsonMediaType, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type, ...headers } })
}
