import { A2AError, RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors'
import {
  BAD_REQUEST_TYPE,
  ERROR_DOMAIN,
  ERROR_INFO_TYPE,
  ERROR_TABLE,
  type ErrorName,
  type ErrorRow,
  type FieldViolation,
} from '@moorage/protocol'
import { StoreUnavailableError, UnknownTaskError } from '@moorage/store'

/** What A2A §5.4 has no error class for: the standard errors of both bindings. */
export type RefusalName = Exclude<ErrorName, `${string}Error`> | 'ParseError'

export interface RefusalOptions {
  /** What the caller can do about it. @default the message of the error table */
  readonly message?: string
  /** When to come again, in seconds. */
  readonly retryAfterSeconds?: number
  /** How a caller can be known: the challenges of a 401. */
  readonly challenge?: string
  /** The verbs that a route knows. */
  readonly allow?: readonly string[]
}

/** A request is refused with a standard error. Its message reaches the client. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly error: RefusalName
  readonly headers: Readonly<Record<string, string>>

  constructor(error: RefusalName, options: RefusalOptions = {}) {
    super(options.message ?? ERROR_TABLE[error].message)
    this.error = error
    this.headers = {
      ...(options.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(Math.ceil(options.retryAfterSeconds)) }),
      ...(options.challenge === undefined ? {} : { 'WWW-Authenticate': options.challenge }),
      ...(options.allow === undefined ? {} : { Allow: options.allow.join(', ') }),
    }
  }
}

/** The request's fields are wrong (A2A §3.3.2): `violations` name each of them. */
export class InvalidParamsError extends RequestMalformedError {
  readonly violations: readonly FieldViolation[]

  constructor(violations: readonly FieldViolation[]) {
    super({ message: `Invalid parameters: ${violations.map(({ field }) => field || 'the request').join(', ')}` })
    this.violations = violations
  }
}

/** One field of the request is wrong. */
export function invalidParam(field: string, description: string): InvalidParamsError {
  return new InvalidParamsError([{ field, description }])
}

/** `google.rpc` details: each names its type (A2A §3.3.2). */
type ErrorDetail = { readonly '@type': string; readonly [key: string]: unknown }

/** An error as both bindings tell it. `internal`: it is the server's own, and the log has to hear of the cause, which the client does not. */
export interface WireError {
  readonly row: ErrorRow
  readonly message: string
  readonly details: readonly ErrorDetail[]
  readonly headers: Readonly<Record<string, string>>
  readonly internal: boolean
}

/** When to come again to a store that does not answer, and to a server that is not started or stops. */
const STORE_RETRY_SECONDS = 5
export const RESTART_SECONDS = 5

const ROWS_BY_REASON = new Map<string, ErrorRow>(
  Object.values<ErrorRow>(ERROR_TABLE).flatMap((row) => (row.reason === undefined ? [] : [[row.reason, row] as const])),
)

/** Maps whatever was thrown to the wire. Of an unknown error nothing reaches the client (A2A §3.3.2, §13). */
export function toWireError(thrown: unknown): WireError {
  // It was removed while the request went on.
  const error = thrown instanceof UnknownTaskError ? new TaskNotFoundError({ metadata: { taskId: thrown.taskId } }) : thrown
  if (error instanceof StoreUnavailableError) {
    return { ...fromRefusal(new Refusal('Unavailable', { retryAfterSeconds: STORE_RETRY_SECONDS })), internal: true }
  }
  if (error instanceof Refusal) return fromRefusal(error)
  const row = error instanceof A2AError ? ROWS_BY_REASON.get(error.reason) : undefined
  if (!(error instanceof A2AError) || row === undefined || row.httpStatus >= 500) {
    const known = row ?? ERROR_TABLE.InternalError
    return { row: known, message: known.message, details: errorInfo(known), headers: {}, internal: true }
  }
  const details = [...errorInfo(row, error.metadata), ...badRequest(error instanceof InvalidParamsError ? error.violations : [])]
  return { row, message: error.message, details, headers: {}, internal: false }
}

function fromRefusal(refusal: Refusal): WireError {
  const row = ERROR_TABLE[refusal.error]
  const details = refusal.error === 'ParseError' ? badRequest([{ field: '', description: refusal.message }]) : []
  return { row, message: refusal.message, details, headers: refusal.headers, internal: false }
}

function errorInfo(row: ErrorRow, metadata?: Readonly<Record<string, string>>): readonly ErrorDetail[] {
  if (row.reason === undefined) return []
  return [{ '@type': ERROR_INFO_TYPE, reason: row.reason, domain: ERROR_DOMAIN, ...(metadata && { metadata }) }]
}

function badRequest(fieldViolations: readonly FieldViolation[]): readonly ErrorDetail[] {
  return fieldViolations.length === 0 ? [] : [{ '@type': BAD_REQUEST_TYPE, fieldViolations }]
}

/** The `error` of a JSON-RPC response (A2A §9.5). */
export function toJsonRpcError({ row, message, details }: WireError): object {
  return { code: row.code, message, ...(details.length > 0 && { data: details }) }
}

/** The body of an HTTP+JSON error (A2A §11.6). */
export function toHttpJsonError({ row, message, details }: WireError): object {
  return { error: { code: row.httpStatus, status: row.status, message, details } }
}

const OWN_STATUS_IN_JSON_RPC: ReadonlySet<ErrorRow> = new Set<ErrorRow>([
  ERROR_TABLE.InternalError,
  ERROR_TABLE.Unauthenticated,
  ERROR_TABLE.PermissionDenied,
  ERROR_TABLE.TooLarge,
  ERROR_TABLE.TooFast,
  ERROR_TABLE.Unavailable,
])

/** The HTTP status of a JSON-RPC error: 200, but for what proxies and monitoring have to see. */
export function jsonRpcStatus({ row }: WireError): number {
  return OWN_STATUS_IN_JSON_RPC.has(row) ? row.httpStatus : 200
}
