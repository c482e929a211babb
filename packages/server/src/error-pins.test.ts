import {
  ContentTypeNotSupportedError,
  ExtendedAgentCardNotConfiguredError,
  ExtensionSupportRequiredError,
  InvalidAgentResponseError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors'
import { StoreUnavailableError } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { invalidParam, Refusal } from './errors.js'
import { BINDINGS } from './testing/bindings.js'
import { overrideStore, startTestServer } from './testing/test-server.js'

const info = (reason: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' })
const bad = (field: string, description: string) => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: [{ field, description }],
})

interface Pin {
  readonly thrown: Error
  /** The HTTP status and the `error` of each binding, as they are on the wire. */
  readonly jsonRpc: readonly [number, object]
  readonly httpJson: readonly [number, object]
  readonly headers?: Readonly<Record<string, string>>
}

/** An A2A error: HTTP 200 in JSON-RPC. */
function a2a(thrown: Error, code: number, httpStatus: number, status: string, message: string, ...details: object[]): Pin {
  return {
    thrown,
    jsonRpc: [200, { code, message, data: details }],
    httpJson: [httpStatus, { error: { code: httpStatus, status, message, details } }],
  }
}

/** An error that both bindings tell by the HTTP status. */
function plain(thrown: Error, code: number, httpStatus: number, status: string, message: string, headers = {}): Pin {
  return {
    thrown,
    jsonRpc: [httpStatus, { code, message }],
    httpJson: [httpStatus, { error: { code: httpStatus, status, message, details: [] } }],
    headers,
  }
}

/** A standard error of JSON-RPC: HTTP 200 there. */
function standard(thrown: Error, code: number, httpStatus: number, status: string, message: string, headers = {}): Pin {
  const pin = plain(thrown, code, httpStatus, status, message, headers)
  return { ...pin, jsonRpc: [200, pin.jsonRpc[1]] }
}

const SECRET = 'postgres://user:secret@host'

// biome-ignore format: one row, one error
const PINS: readonly Pin[] = [
  a2a(new TaskNotFoundError({ message: 'a' }), -32001, 404, 'NOT_FOUND', 'a', info('TASK_NOT_FOUND')),
  a2a(new TaskNotCancelableError({ message: 'a' }), -32002, 400, 'FAILED_PRECONDITION', 'a', info('TASK_NOT_CANCELABLE')),
  a2a(new PushNotificationNotSupportedError({ message: 'a' }), -32003, 400, 'FAILED_PRECONDITION', 'a', info('PUSH_NOTIFICATION_NOT_SUPPORTED')),
  a2a(new UnsupportedOperationError({ message: 'a' }), -32004, 400, 'FAILED_PRECONDITION', 'a', info('UNSUPPORTED_OPERATION')),
  a2a(new ContentTypeNotSupportedError({ message: 'a' }), -32005, 400, 'INVALID_ARGUMENT', 'a', info('CONTENT_TYPE_NOT_SUPPORTED')),
  a2a(new InvalidAgentResponseError({ message: SECRET }), -32006, 500, 'INTERNAL', 'The agent gave an invalid response', info('INVALID_AGENT_RESPONSE')),
  a2a(new ExtendedAgentCardNotConfiguredError({ message: 'a' }), -32007, 400, 'FAILED_PRECONDITION', 'a', info('EXTENDED_AGENT_CARD_NOT_CONFIGURED')),
  a2a(new ExtensionSupportRequiredError({ message: 'a' }), -32008, 400, 'FAILED_PRECONDITION', 'a', info('EXTENSION_SUPPORT_REQUIRED')),
  a2a(new VersionNotSupportedError({ message: 'a' }), -32009, 400, 'FAILED_PRECONDITION', 'a', info('VERSION_NOT_SUPPORTED')),
  a2a(new RequestMalformedError({ message: 'a' }), -32602, 400, 'INVALID_ARGUMENT', 'a', info('INVALID_PARAMS')),
  a2a(invalidParam('pageSize', 'b'), -32602, 400, 'INVALID_ARGUMENT', 'Invalid parameters: pageSize', info('INVALID_PARAMS'), bad('pageSize', 'b')),
  a2a(new Refusal('ParseError'), -32700, 400, 'INVALID_ARGUMENT', 'Invalid JSON payload', bad('', 'Invalid JSON payload')),
  standard(new Refusal('InvalidRequest'), -32600, 400, 'INVALID_ARGUMENT', 'Request payload validation error'),
  standard(new Refusal('MethodNotFound'), -32601, 404, 'NOT_FOUND', 'Method not found'),
  standard(new Refusal('MethodNotAllowed', { allow: ['GET', 'POST'] }), -32601, 405, 'UNIMPLEMENTED', 'Method not allowed', { Allow: 'GET, POST' }),
  plain(new Refusal('Unauthenticated'), -32600, 401, 'UNAUTHENTICATED', 'Authentication required'),
  plain(new Refusal('PermissionDenied'), -32600, 403, 'PERMISSION_DENIED', 'Permission denied'),
  plain(new Refusal('TooLarge'), -32600, 413, 'INVALID_ARGUMENT', 'Request body too large'),
  plain(new Refusal('TooFast', { retryAfterSeconds: 1.2 }), -32603, 429, 'RESOURCE_EXHAUSTED', 'Too many requests', { 'Retry-After': '2' }),
  plain(new Refusal('Unavailable', { retryAfterSeconds: 3 }), -32603, 503, 'UNAVAILABLE', 'Service unavailable', { 'Retry-After': '3' }),
  plain(new StoreUnavailableError(SECRET), -32603, 503, 'UNAVAILABLE', 'Service unavailable', { 'Retry-After': '5' }),
  plain(new Error(SECRET, { cause: new Error(SECRET) }), -32603, 500, 'INTERNAL', 'Internal error'),
  plain(new TypeError(SECRET), -32603, 500, 'INTERNAL', 'Internal error'),
  plain(Object.assign(new Error(SECRET), { code: -32001, reason: 'TASK_NOT_FOUND' }), -32603, 500, 'INTERNAL', 'Internal error'),
]

describe.each(BINDINGS)('over $name', ({ name, call }) => {
  test.each(PINS)('$thrown.name is what it is: $httpJson', async ({ thrown, jsonRpc, httpJson, headers = {} }) => {
    const server = await startTestServer({ wrapStore: (store) => overrideStore(store, { record: () => Promise.reject(thrown) }) })
    const response = await call(server, 'getTask', { id: 'any' })
    const [status, error] = name === 'JSON-RPC' ? jsonRpc : httpJson
    expect(response.status).toBe(status)
    expect(response.headers.get('Content-Type')).toBe(name === 'JSON-RPC' ? 'application/json' : 'application/a2a+json')
    expect(Object.fromEntries([...response.headers].filter(([header]) => header !== 'content-type'))).toEqual({
      'cache-control': 'no-store',
      ...Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value])),
    })
    expect(await response.json()).toStrictEqual(name === 'JSON-RPC' ? { jsonrpc: '2.0', id: 7, error } : error)
    expect(JSON.stringify([...response.headers])).not.toContain('secret')
  })
})
