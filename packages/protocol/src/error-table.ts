/** `domain` of every ErrorInfo (A2A §5.4). */
export const ERROR_DOMAIN = 'a2a-protocol.org'

/** `@type` of the detail that names the reason of an error. */
export const ERROR_INFO_TYPE = 'type.googleapis.com/google.rpc.ErrorInfo'

/** `@type` of the detail that names the fields of a request which are wrong. */
export const BAD_REQUEST_TYPE = 'type.googleapis.com/google.rpc.BadRequest'

/** One error in both bindings. `message` is what to say where there is nothing better. */
export interface ErrorRow {
  /** JSON-RPC 2.0 error code. */
  readonly code: number
  /** HTTP status of the HTTP+JSON binding. */
  readonly httpStatus: number
  /** Name of the google.rpc.Code. */
  readonly status: string
  /** `reason` of the ErrorInfo; standard errors have none but invalid params. */
  readonly reason?: string
  readonly message: string
}

/**
 * Every error of the protocol by the name of its class in the SDK (A2A §5.4), then the standard ones (§9.5, §11.6).
 * The JSON-RPC binding answers with HTTP 200, but for `Unauthenticated` to `Unavailable`, where both bindings send the HTTP status.
 */
export const ERROR_TABLE = {
  TaskNotFoundError: {
    code: -32001,
    httpStatus: 404,
    status: 'NOT_FOUND',
    reason: 'TASK_NOT_FOUND',
    message: 'Task not found',
  },
  TaskNotCancelableError: {
    code: -32002,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'TASK_NOT_CANCELABLE',
    message: 'Task cannot be canceled',
  },
  PushNotificationNotSupportedError: {
    code: -32003,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
    message: 'Push notifications are not supported',
  },
  UnsupportedOperationError: {
    code: -32004,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'UNSUPPORTED_OPERATION',
    message: 'This operation is not supported',
  },
  ContentTypeNotSupportedError: {
    code: -32005,
    httpStatus: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    message: 'Content type not supported',
  },
  InvalidAgentResponseError: {
    code: -32006,
    httpStatus: 500,
    status: 'INTERNAL',
    reason: 'INVALID_AGENT_RESPONSE',
    message: 'The agent gave an invalid response',
  },
  ExtendedAgentCardNotConfiguredError: {
    code: -32007,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    message: 'No extended agent card is configured',
  },
  ExtensionSupportRequiredError: {
    code: -32008,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'EXTENSION_SUPPORT_REQUIRED',
    message: 'An extension is required',
  },
  VersionNotSupportedError: {
    code: -32009,
    httpStatus: 400,
    status: 'FAILED_PRECONDITION',
    reason: 'VERSION_NOT_SUPPORTED',
    message: 'Protocol version not supported',
  },
  RequestMalformedError: {
    code: -32602,
    httpStatus: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'INVALID_PARAMS',
    message: 'Invalid parameters',
  },
  ParseError: { code: -32700, httpStatus: 400, status: 'INVALID_ARGUMENT', message: 'Invalid JSON payload' },
  InvalidRequest: { code: -32600, httpStatus: 400, status: 'INVALID_ARGUMENT', message: 'Request payload validation error' },
  MethodNotFound: { code: -32601, httpStatus: 404, status: 'NOT_FOUND', message: 'Method not found' },
  MethodNotAllowed: { code: -32601, httpStatus: 405, status: 'UNIMPLEMENTED', message: 'Method not allowed' },
  InternalError: { code: -32603, httpStatus: 500, status: 'INTERNAL', message: 'Internal error' },
  Unauthenticated: { code: -32600, httpStatus: 401, status: 'UNAUTHENTICATED', message: 'Authentication required' },
  PermissionDenied: { code: -32600, httpStatus: 403, status: 'PERMISSION_DENIED', message: 'Permission denied' },
  TooLarge: { code: -32600, httpStatus: 413, status: 'INVALID_ARGUMENT', message: 'Request body too large' },
  TooFast: { code: -32603, httpStatus: 429, status: 'RESOURCE_EXHAUSTED', message: 'Too many requests' },
  Unavailable: { code: -32603, httpStatus: 503, status: 'UNAVAILABLE', message: 'Service unavailable' },
} as const satisfies Readonly<Record<string, ErrorRow>>

export type ErrorName = keyof typeof ERROR_TABLE
