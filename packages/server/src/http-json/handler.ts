import type { AgentCardJson, JsonObject } from '@moorage/protocol'
import type { Context } from 'hono'
import { type BindingContext, callOfRequest, NO_STORE, type Presence, reportError, respond } from '../binding.js'
import { destroyStalled } from '../connection.js'
import type { OperationName } from '../dispatch.js'
import { encodeOnce } from '../encode-once.js'
import { Refusal, toHttpJsonError, type WireError } from '../errors.js'
import { PARTICIPANT_HEADER } from '../operations/named-participant.js'
import { resolveExtensions, resolveVersion } from '../service-parameters.js'
import { sseResponse } from '../sse.js'
import { tenantOfUrl } from '../tenant.js'
import type { HttpJsonDialect } from './dialect.js'
import type { Route } from './match-route.js'
import type { JsonMediaType } from './negotiate.js'
import { readRequest, requireJsonBody } from './read-request.js'

/** What is known of a request when it is refused. */
interface Progress {
  headers: Readonly<Record<string, string>>
}

/**
 * The HTTP+JSON binding (A2A §11): every route under the base path, unknown ones too.
 * @param basePath what precedes the routes in a URL's path
 */
export function createHttpJsonHandler(
  context: BindingContext,
  dialect: HttpJsonDialect,
  basePath: string,
): (c: Context) => Promise<Response> {
  return async function httpJson(c) {
    const type = dialect.mediaType(c)
    const progress: Progress = { headers: {} }
    try {
      return await serve(context, dialect, c, basePath, type, progress)
    } catch (error) {
      return httpJsonErrorResponse(reportError(context, error), type, progress.headers, dialect)
    }
  }
}

/** The steps in the order of refusals that the README promises. */
async function serve(
  context: BindingContext,
  dialect: HttpJsonDialect,
  c: Context,
  basePath: string,
  type: JsonMediaType,
  progress: Progress,
): Promise<Response> {
  const { route, operation } = findOperation(dialect, c, basePath)
  requireJsonBody(c)
  const identity = await context.authenticate(c)
  const given = await readRequest(c, operation)
  const version = resolveVersion(c, [dialect.version])
  const extensions = resolveExtensions(c, context.card, dialect.extensionsHeader, context.unknownExtensions)
  const headers = extensions.length === 0 ? {} : { [dialect.extensionsHeader]: extensions.join(', ') }
  progress.headers = headers
  const request = dialect.request(operation, given, route)

  const run = (presence: Presence) =>
    dialect.handlers[operation](request, {
      identity,
      ...presence,
      version,
      extensions,
      tenant: tenantOfUrl(c, route.tenant),
      ...callOfRequest(c),
    })
  return respond(context, c, run, {
    value: (value) => jsonResponse(dialect.value(operation, value), 200, type, { ...headers, ...varyOf(operation, context.card) }),
    stream: (events, scope) =>
      sseResponse(events, {
        encode: (event) => encodeOnce(dialect.event(event)),
        encodeError: (error) => JSON.stringify(dialect.error(reportError(context, error))),
        keepAliveMs: context.keepAliveMs,
        headers,
        scope,
        disconnect: () => destroyStalled(c, context.keepAliveMs),
      }),
  })
}

/** An extended card is the caller's own at an address that all callers share: a cache that keeps it in spite of `no-store` has to tell them apart. */
function varyOf(operation: OperationName, { securitySchemes = {} }: AgentCardJson): Readonly<Record<string, string>> {
  if (operation !== 'getExtendedAgentCard') return {}
  const schemes = Object.values(securitySchemes).map(({ apiKeySecurityScheme }) => Object(apiKeySecurityScheme) as JsonObject)
  const names = schemes.flatMap(({ location, name }) => (location === 'header' ? [String(name)] : location === 'cookie' ? ['Cookie'] : []))
  return { Vary: [...new Set(['Authorization', ...names, PARTICIPANT_HEADER])].join(', ') }
}

/** @throws Refusal for a path or a verb that no operation has */
function findOperation(
  dialect: HttpJsonDialect,
  c: Context,
  basePath: string,
): { readonly route: Route; readonly operation: OperationName } {
  const route = dialect.match(new URL(c.req.url).pathname.slice(basePath.length))
  if (route === undefined) throw new Refusal('MethodNotFound', { message: 'No such route' })
  const verb = verbOf(c.req.method, route)
  // A verb is any token, `__proto__` too.
  const operation = Object.hasOwn(route.verbs, verb) ? route.verbs[verb] : undefined
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

/** An error in the form of this binding (A2A §11.6), or of a dialect of it. */
export function httpJsonErrorResponse(
  wire: WireError,
  type: JsonMediaType,
  headers: Readonly<Record<string, string>> = {},
  { error }: Pick<HttpJsonDialect, 'error'> = { error: toHttpJsonError },
): Response {
  return jsonResponse(error(wire), wire.row.httpStatus, type, { ...headers, ...wire.headers })
}

function jsonResponse(body: unknown, status: number, type: JsonMediaType, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type, ...NO_STORE, ...headers } })
}
