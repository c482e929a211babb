import pg from 'pg'
import { StoreUnavailableError } from '../store-error.js'

/**
 * - `conflict`: others were in the way, and the transaction may run again;
 * - `duplicate`: another transaction has written the same key, and this one may find it when it runs again;
 * - `connection`: this connection is of no use, another one may be;
 * - `refused`: the server does not let us in, as the URL or its own rules have it;
 * - `unavailable`: the server is there and cannot do it now.
 */
export type Fault = 'conflict' | 'duplicate' | 'connection' | 'refused' | 'unavailable'

/** By SQLSTATE or its beginning; the first that matches counts. */
const FAULTS: readonly (readonly [code: string, fault: Fault])[] = [
  ['23505', 'duplicate'],
  ['40', 'conflict'], // serialization failure, deadlock
  ['08', 'connection'],
  ['57014', 'conflict'], // canceled by an operator, or by statement_timeout, which is as long as the deadline
  ['0A000', 'connection'], // a statement that this connection has prepared, before a migration
  ['25006', 'connection'], // read_only_sql_transaction: a standby
  ['25P03', 'connection'], // idle_in_transaction_session_timeout
  ['25P04', 'connection'], // transaction_timeout
  ['26000', 'connection'], // a pooler gave us another backend, which lacks a statement that we have prepared
  ['42P05', 'connection'], // or has one of that name already
  ['53300', 'connection'], // too_many_connections
  ['57P', 'connection'], // the server stops, crashed, or starts
  ['28', 'refused'], // wrong user or password
  ['3D000', 'refused'], // no such database
  ['42501', 'refused'], // insufficient_privilege
  ['53', 'unavailable'], // out of disk or memory
  ['55P03', 'unavailable'], // lock_timeout
  ['58', 'unavailable'], // input or output of the server
  ['XX', 'unavailable'], // damaged data
]

const NETWORK = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]

/** What `pg` itself says of a connection that was not made or is no more. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly fault: Fault

  private constructor(cause: unknown, fault: Fault) {
    super(reasonOf(cause), { cause })
    this.fault = fault
  }

  static lost(cause: unknown): ConnectionError {
    return new ConnectionError(cause, 'connection')
  }

  /** Where neither the network nor a hung server is to blame, it is the certificates. */
  static failed(cause: unknown): ConnectionError {
    const { code, message } = cause as NodeJS.ErrnoException
    const network = NETWORK.includes(code ?? '') || /terminated|timeout/i.test(message)
    return new ConnectionError(cause, network ? 'connection' : 'refused')
  }
}

/** Undefined where the statement is to blame, or where it is no error of the database. */
export function faultOf(error: unknown): Fault | undefined {
  if (error instanceof ConnectionError) return error.fault
  if (!(error instanceof pg.DatabaseError)) return undefined
  return FAULTS.find(([code]) => error.code?.startsWith(code))?.[1]
}

/** Errors of the database itself become `StoreUnavailableError`; others stay what they are. */
export function toStoreError(error: unknown): unknown {
  const fault = faultOf(error)
  return fault === undefined || fault === 'duplicate' ? error : unavailable(error)
}

export function unavailable(cause: unknown): StoreUnavailableError {
  const code = cause instanceof pg.DatabaseError ? `${cause.code}: ` : ''
  return new StoreUnavailableError(`The database is not available (${code}${reasonOf(cause)})`, { cause })
}

export function reasonOf(error: unknown): string {
  // Where a host has several addresses, each one's error is in a list.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
