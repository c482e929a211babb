import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import type { Context } from 'hono'
import { type BindingContext, NO_STORE, reportError, respond, withLastEventId } from '../binding.js'
import { mediaType, parseJson, readText, requirePlainUtf8 } from '../body.js'
import { invalidParam, jsonRpcStatus, Refusal, toJsonRpcError, type WireError } from '../errors.js'
import { EXTENSIONS_HEADER, resolveExtensions, resolveVersion, V0_3 } from '../service-parameters.js'
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
  const served = new Map([...dialects].filter(([version]) => versions.includes(version)))
  return async function jsonRpc(c) {
    const progress: Progress = { id: null, headers: {} }
    try {
      return await serve(context, served, c, progress)
    } catch (error) {
      return jsonRpcErrorResponse(reportError(context, error), progress.id, progress.headers)
    }
  }
}

/** The steps in the order of refusals (architecture.md §4). */
async function serve(
  context: BindingContext,
  dialects: ReadonlyMap<string, JsonRpcDialect>,
  c: Context,
  progress: Progress,
): Promise<Response> {
  const { card, keepAliveMs } = context
  requireJson(c)
  const principal = context.authenticate()
  const body = parseJson(await readText(c))
  progress.id = readId(body)
  const { id, method, params = {} } = parseEnvelope(body)
  const version = resolveVersion(c, [...dialects.keys()])
  const { extensionsHeader = EXTENSIONS_HEADER, methods } = dialects.get(version) ?? {}
  const answer = methods?.get(method)
  if (answer === undefined) throw new Refusal('MethodNotFound')
  const extensions = resolveExtensions(c, card, extensionsHeader, context.unknownExtensions)
  const headers = extensions.length === 0 ? {} : { [extensionsHeader]: extensions.join(', ') }
  progress.headers = headers
  if (typeof params !== 'object' || params === null || Array.isArray(params)) throw invalidParam('params', 'Give a JSON object.')

  const run = (signal: AbortSignal) =>
    answer(params, withLastEventId({ principal, signal, version, extensions, tenant: tenantOfUrl(c) }, c.req.header('Last-Event-ID')))
  return respond(context, c.req.raw.signal, run, {
    value: (result) => jsonResponse({ jsonrpc: '2.0', id, result }, 200, headers),
    stream: (events, scope) =>
      sseResponse(events, {
        encode: ({ payload }) => JSON.stringify({ jsonrpc: '2.0', id, result: payload }),
        encodeError: (error) => JSON.stringify({ jsonrpc: '2.0', id, error: toJsonRpcError(reportError(context, error)) }),
        keepAliveMs,
        headers,
        scope,
      }),
  })
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
