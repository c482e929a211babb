import { expect } from 'vitest'
import type { Binding } from '../manifest/requirement.js'
import type { WireError } from './wire-client.js'

/** What the specification says of each error (A2A §5.4, §9.5, §11.6), as literals of this suite. */
const ERRORS = {
  TASK_NOT_FOUND: [-32001, 404, 'NOT_FOUND'],
  TASK_NOT_CANCELABLE: [-32002, 400, 'FAILED_PRECONDITION'],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, 400, 'FAILED_PRECONDITION'],
  UNSUPPORTED_OPERATION: [-32004, 400, 'FAILED_PRECONDITION'],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, 400, 'INVALID_ARGUMENT'],
  EXTENSION_SUPPORT_REQUIRED: [-32008, 400, 'FAILED_PRECONDITION'],
  VERSION_NOT_SUPPORTED: [-32009, 400, 'FAILED_PRECONDITION'],
  INVALID_PARAMS: [-32602, 400, 'INVALID_ARGUMENT'],
  PARSE_ERROR: [-32700, 400, 'INVALID_ARGUMENT'],
  INVALID_REQUEST: [-32600, 400, 'INVALID_ARGUMENT'],
  METHOD_NOT_FOUND: [-32601, 404, 'NOT_FOUND'],
  METHOD_NOT_ALLOWED: [-32601, 405, 'UNIMPLEMENTED'],
  TOO_LARGE: [-32600, 413, 'INVALID_ARGUMENT'],
  TOO_FAST: [-32603, 429, 'RESOURCE_EXHAUSTED'],
} as const satisfies Readonly<Record<string, readonly [code: number, httpStatus: number, status: string]>>

export type ErrorName = keyof typeof ERRORS

/** These have no reason of A2A, since they are not A2A's. */
const WITHOUT_REASON: readonly ErrorName[] = [
  'PARSE_ERROR',
  'INVALID_REQUEST',
  'METHOD_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'TOO_LARGE',
  'TOO_FAST',
]
/** JSON-RPC answers with 200, but where what stands before the server has to see it. */
const OWN_STATUS: readonly ErrorName[] = ['TOO_LARGE', 'TOO_FAST']

/** The error is this one in the form of the binding, and names exactly these fields where any are given. */
export function expectError(error: WireError, binding: Binding, name: ErrorName, fields?: readonly string[]): void {
  const [code, httpStatus, status] = ERRORS[name]
  const jsonRpcStatus = OWN_STATUS.includes(name) ? httpStatus : 200
  const expected = binding === 'JSONRPC' ? { code, httpStatus: jsonRpcStatus } : { code: httpStatus, httpStatus, status }
  expect({ ...error, name }).toMatchObject({ ...expected, name })
  expect(error.message).not.toBe('')
  expect(error.contentType).toMatch(binding === 'JSONRPC' ? /^application\/json/ : /^application\/(a2a\+)?json/)
  for (const detail of error.details) expect(detail['@type']).toMatch(/^type\.googleapis\.com\/google\.rpc\./)
  const info = error.details.find((detail) => detail['@type'] === 'type.googleapis.com/google.rpc.ErrorInfo')
  if (!WITHOUT_REASON.includes(name)) expect(info).toMatchObject({ reason: name, domain: 'a2a-protocol.org' })
  if (fields) expect(violations(error)).toEqual(fields)
}

/** The fields that the error says are wrong. */
export function violations(error: WireError): readonly string[] {
  const bad = error.details.find((detail) => detail['@type'] === 'type.googleapis.com/google.rpc.BadRequest')
  return ((bad?.['fieldViolations'] ?? []) as readonly { readonly field: string }[]).map(({ field }) => field)
}
