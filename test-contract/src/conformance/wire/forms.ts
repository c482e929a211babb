import { httpRequest } from './http-request.js'
import type { Operation } from './operation.js'
import type { CallOptions, Reply, WireError } from './wire-client.js'

export type Fields = Readonly<Record<string, unknown>>

/** An HTTP request without its base URL. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** How one binding writes requests and reads answers. */
export interface Form {
  request(operation: Operation, fields: Fields, options: CallOptions): WireRequest
  /** @throws Error for an error */
  result(reply: Reply): unknown
  /** @throws Error for a result */
  error(reply: Reply): WireError
  payload(data: Fields): Fields
}

const VERSION = { 'A2A-Version': '1.0' }
const REQUEST_ID = 'request-1'

export const jsonRpcForm: Form = {
  request: (method, params) => ({
    method: 'POST',
    path: '',
    headers: { ...VERSION, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: REQUEST_ID, method, params }),
  }),
  result(reply) {
    const answer = JSON.parse(reply.text) as Fields
    if (reply.status !== 200 || answer['jsonrpc'] !== '2.0' || !('result' in answer) || 'error' in answer) throw unexpected('result', reply)
    return answer['result']
  },
  error(reply) {
    const { error } = parse(reply) as { error?: { code: number; message: string; data?: readonly Fields[] } }
    if (error === undefined) throw unexpected('error', reply)
    return { ...headOf(reply), code: error.code, status: undefined, message: error.message, details: error.data ?? [] }
  },
  payload: (data) => data['result'] as Fields,
}

export const httpJsonForm: Form = {
  request(operation, fields, { tenant }) {
    const { method, path, body } = httpRequest(operation, fields)
    const headers = method === 'POST' ? { ...VERSION, 'Content-Type': 'application/a2a+json' } : VERSION
    return { method, path: `${tenant === undefined ? '' : `/${tenant}`}${path}`, headers, ...(body && { body: JSON.stringify(body) }) }
  },
  result(reply) {
    if (reply.status !== 200) throw unexpected('result', reply)
    return JSON.parse(reply.text)
  },
  error(reply) {
    const { error } = parse(reply) as { error?: { code: number; status: string; message: string; details: readonly Fields[] } }
    if (error === undefined || reply.status < 400) throw unexpected('error', reply)
    return { ...headOf(reply), ...error }
  },
  payload: (data) => data,
}

function parse(reply: Reply): unknown {
  if (reply.headers.get('Content-Type')?.startsWith('text/event-stream')) throw unexpected('error', reply)
  return JSON.parse(reply.text)
}

function headOf({ status, headers }: Reply): Pick<WireError, 'httpStatus' | 'contentType' | 'headers'> {
  return { httpStatus: status, contentType: headers.get('Content-Type') ?? '', headers }
}

function unexpected(wanted: string, { status, text }: Reply): Error {
  return new Error(`This is no ${wanted}: ${status} ${text.slice(0, 500)}`)
}
