import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import type { Context } from 'hono'
import { type BindingContext, callOfRequest, NO_STORE, type Presence, reportError, respond } from '../binding.js'
import { mediaType, parseJson, readText, requirePlainUtf8 } from '../body.js'
import { destroyStalled } from '../connection.js'
import { encodeOnce } from '../encode-once.js'
import { invalidParam, jsonRpcStatus, Refusal, toJsonRpcError, type WireError } from '../errors.js'
import { EXTENSIONS_HEADER, resolveExtensions, resolveVersion, V0_3, VERSION_HEADER } from '../service-parameters.js'
import { sseResponse } from '../sse.js'
import { tenantOfUrl } from '../tenant.js'
import { v03JsonRpc } from '../v0-3/json-rpc.js'
import { parseEnvelope, type RequestId, readId } from './envelope.js'
import { type JsonRpcDialect, v10JsonRpc } from './methods.js'

/** What is known of a request when it is refused. */
interface Progress {
  id: RequestId | null
  headers: Readonly<Record<string, string>>
}

/**
 * The JSON-RPC binding (A2A §9): one route, every method.
 * @param versions those that the card declares for the route
 */
export function createJsonRpcHandler(context: BindingContext, versions: readonly string[]): (c: Context) => Promise<Response> {
  const dialects = new Map([
    ['1.0', v10JsonRpc(context.handlers)],
    [V0_3, v03JsonRpc(context)],
  ])
  const served = { dialects, versions: [...dialects.keys()].filter((version) => versions.includes(version)) }
  return async function jsonRpc(c) {
    const progress: Progress = { id: null, headers: {} }
    try {
      return await serve(context, served, c, progress)
    } catch (error) {
      return jsonRpcErrorResponse(reportError(context, error), progress.id, progress.headers)
    }
  }
}

/** What each known version says, and which of them are served. */
interface Served {
  readonly dialects: ReadonlyMap<string, JsonRpcDialect>
  readonly versions: readonly string[]
}

/** The steps in the order of refusals that the README promises. */
async function serve(context: BindingContext, { dialects, versions }: Served, c: Context, progress: Progress): Promise<Response> {
  const { card, keepAliveMs } = context
  requireJson(c)
  const identity = await context.authenticate(c)
  const body = parseJson(await readText(c))
  progress.id = readId(body)
  const { id, method, params = {} } = parseEnvelope(body)
  const version = resolveVersion(c, versions)
  const { extensionsHeader = EXTENSIONS_HEADER, methods } = dialects.get(version) ?? {}
  const answer = methods?.get(method)
  if (answer === undefined) throw methodNotFound(method, version, { dialects, versions })
  const extensions = resolveExtensions(c, card, extensionsHeader, context.unknownExtensions)
  const headers = extensions.length === 0 ? {} : { [extensionsHeader]: extensions.join(', ') }
  progress.headers = headers
  if (typeof params !== 'object' || params === null || Array.isArray(params)) throw invalidParam('params', 'Give a JSON object.')

  const run = (presence: Presence) =>
    answer(params, { identity, ...presence, version, extensions, tenant: tenantOfUrl(c), ...callOfRequest(c) })
  return respond(context, c, run, {
    value: (result) => jsonResponse({ jsonrpc: '2.0', id, result }, 200, headers),
    stream: (events, scope) =>
      sseResponse(events, {
        encode: ({ payload }) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${encodeOnce(payload)}}`,
        encodeError: (error) => JSON.stringify({ jsonrpc: '2.0', id, error: toJsonRpcError(reportError(context, error)) }),
        keepAliveMs,
        headers,
        scope,
        disconnect: () => destroyStalled(c, keepAliveMs),
      }),
  })
}

/** Says where the method is one of another version: a client that sends no version, or the wrong one, does not see that from "not found". */
function methodNotFound(method: string, version: string, { dialects, versions }: Served): Refusal {
  const [other] = [...dialects].find(([, { methods }]) => methods.has(method)) ?? []
  if (other === undefined) return new Refusal('MethodNotFound')
  const needed = `needs the header ${VERSION_HEADER}: ${other}${other === V0_3 ? ', or none' : ''}`
  const way = versions.includes(other) ? needed : 'is not served here'
  return new Refusal('MethodNotFound', { message: `Method not found in A2A ${version}: it is one of ${other}, which ${way}` })
}

/** Also a request without a type is refused: a browser sends one to any address without asking (CORS). */
function requireJson(c: Context): void {
  if (mediaType(c.req.header('Content-Type')) !== 'application/json') {
    throw new ContentTypeNotSupportedError({ message: 'Send Content-Type: application/json' })
  }
  requirePlainUtf8(c)
}

/** An error in the form of this binding; `id` is null where the request's own could not be read (JSON-RPC 2.0 §5). */
export function jsonRpcErrorResponse(wire: WireError, id: RequestId | null, headers: Readonly<Record<string, string>> = {}): Response {
  return jsonResponse({ jsonrpc: '2.0', id, error: toJsonRpcError(wire) }, jsonRpcStatus(wire), { ...headers, ...wire.headers })
}

function jsonResponse(body: object, status: number, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...NO_STORE, ...headers } })
}
