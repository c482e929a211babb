import { listTasksQuerySchema } from '@moorage/protocol'
import type { Context } from 'hono'
import type { BindingContext } from '../binding.js'
import { mediaType } from '../body.js'
import { type Handler, type OperationName, unary } from '../dispatch.js'
import { toHttpJsonError, type WireError } from '../errors.js'
import type { StreamEvent } from '../operations/call.js'
import type { Operations } from '../operations/operations.js'
import { EXTENSIONS_HEADER } from '../service-parameters.js'
import { matchRoute, type Route, routesOf } from './match-route.js'
import { type JsonMediaType, negotiate } from './negotiate.js'
import { bindFields } from './read-request.js'

/** What a version of the protocol says in HTTP+JSON: its routes, and its forms of the same requests and answers. */
export interface HttpJsonDialect {
  readonly version: string
  /** The header that names extensions, in the answer too. */
  readonly extensionsHeader: string
  readonly handlers: Readonly<Record<OperationName, Handler>>
  match(path: string): Route | undefined
  /** The media type of an answer. */
  mediaType(c: Context): JsonMediaType
  /** The operation's request in its 1.0 form, of what body or query say and of what the path does. */
  request(operation: OperationName, given: Record<string, unknown>, route: Route): unknown
  value(operation: OperationName, value: unknown): unknown
  event(event: StreamEvent): object
  error(wire: WireError): object
}

/** A2A 1.0 in HTTP+JSON (§11). */
export function v10HttpJson(context: BindingContext, operations: Operations, preferred: JsonMediaType): HttpJsonDialect {
  const rows = routesOf(context.authenticated)
  return {
    version: '1.0',
    extensionsHeader: EXTENSIONS_HEADER,
    // In a query, numbers and booleans are words.
    handlers: { ...context.handlers, listTasks: unary(listTasksQuerySchema, operations.listTasks) },
    match: (path) => matchRoute(rows, path),
    mediaType: (c) => negotiate(c.req.header('Accept'), mediaType(c.req.header('Content-Type')), preferred),
    request(_operation, given, route) {
      bindFields(given, route)
      return given
    },
    value: (_operation, value) => value,
    event: ({ payload }) => payload,
    error: toHttpJsonError,
  }
}
