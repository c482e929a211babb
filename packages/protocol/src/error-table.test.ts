import { describe, expect, it } from 'vitest'
import { ERROR_TABLE, type ErrorName, type ErrorRow } from './error-table.js'

const PINNED: Readonly<Record<ErrorName, readonly [number, number, string, string?]>> = {
  TaskNotFoundError: [-32001, 404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
  TaskNotCancelableError: [-32002, 400, 'FAILED_PRECONDITION', 'TASK_NOT_CANCELABLE'],
  PushNotificationNotSupportedError: [-32003, 400, 'FAILED_PRECONDITION', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  UnsupportedOperationError: [-32004, 400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION'],
  ContentTypeNotSupportedError: [-32005, 400, 'INVALID_ARGUMENT', 'CONTENT_TYPE_NOT_SUPPORTED'],
  InvalidAgentResponseError: [-32006, 500, 'INTERNAL', 'INVALID_AGENT_RESPONSE'],
  ExtendedAgentCardNotConfiguredError: [-32007, 400, 'FAILED_PRECONDITION', 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
  ExtensionSupportRequiredError: [-32008, 400, 'FAILED_PRECONDITION', 'EXTENSION_SUPPORT_REQUIRED'],
  VersionNotSupportedError: [-32009, 400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED'],
  RequestMalformedError: [-32602, 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS'],
  ParseError: [-32700, 400, 'INVALID_ARGUMENT'],
  InvalidRequest: [-32600, 400, 'INVALID_ARGUMENT'],
  MethodNotFound: [-32601, 404, 'NOT_FOUND'],
  MethodNotAllowed: [-32601, 405, 'UNIMPLEMENTED'],
  InternalError: [-32603, 500, 'INTERNAL'],
  Unauthenticated: [-32600, 401, 'UNAUTHENTICATED'],
  PermissionDenied: [-32600, 403, 'PERMISSION_DENIED'],
  TooLarge: [-32600, 413, 'INVALID_ARGUMENT'],
  TooFast: [-32603, 429, 'RESOURCE_EXHAUSTED'],
  Unavailable: [-32603, 503, 'UNAVAILABLE'],
}

describe('ERROR_TABLE', () => {
  it.each(Object.entries(ERROR_TABLE))('has %s as the specification has it', (name, row: ErrorRow) => {
    const { code, httpStatus, status, reason } = row
    expect(reason === undefined ? [code, httpStatus, status] : [code, httpStatus, status, reason]).toStrictEqual(PINNED[name as ErrorName])
  })

  it('has every row that is pinned', () => {
    expect(Object.keys(ERROR_TABLE)).toStrictEqual(Object.keys(PINNED))
  })
})
