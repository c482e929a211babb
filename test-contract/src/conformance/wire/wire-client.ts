import type { Binding } from '../manifest/requirement.js'
import { type Fields, type Form, httpJsonForm, jsonRpcForm } from './forms.js'
import type { Operation } from './operation.js'
import { readEvents } from './read-events.js'

/** An answer as it came over the wire. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What a client was told of an error, whichever binding told it. */
export interface WireError {
  readonly httpStatus: number
  readonly contentType: string
  readonly headers: Headers
  /** JSON-RPC's code; over HTTP+JSON the code in the body, which is the HTTP status. */
  readonly code: number
  /** Only over HTTP+JSON. */
  readonly status: string | undefined
  readonly message: string
  readonly details: readonly Fields[]
}

/** An event of a stream: its payload is the object with one of task, message, statusUpdate and artifactUpdate. */
export interface WireEvent {
  readonly id: string | undefined
  readonly data: Fields
  readonly payload: Fields
}

export interface WireStream extends AsyncIterable<WireEvent> {
  readonly headers: Headers
  next(): Promise<WireEvent | undefined>
  /** All that is still to come. */
  rest(): Promise<readonly WireEvent[]>
  close(): Promise<void>
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Added to the URL. */
  readonly query?: Readonly<Record<string, string>>
  /** The tenant before the path; over JSON-RPC it is the URL's, which has none. */
  readonly tenant?: string
  /** Instead of the request's JSON, as it is. */
  readonly body?: string
}

/** A client of one binding that knows nothing of this server but its URL: JSON in, JSON out. */
export interface WireClient {
  readonly binding: Binding
  /** Any answer. */
  call(operation: Operation, request?: Fields, options?: CallOptions): Promise<Reply>
  /** The result; an error is a failure. */
  result<Result = Fields>(operation: Operation, request?: Fields, options?: CallOptions): Promise<Result>
  /** The error; a result, or a stream, is a failure. */
  refusal(operation: Operation, request?: Fields, options?: CallOptions): Promise<WireError>
  /** The stream; an ordinary answer is a failure. */
  stream(operation: Operation, request?: Fields, options?: CallOptions): Promise<WireStream>
}

/**
 * @param base URL of the interface, as the card says it
 * @param ask carries the requests; by default over the network
 */
export function createWireClient(base: string, binding: Binding, form: Form = formOf(binding), ask: typeof fetch = fetch): WireClient {
  async function request(operation: Operation, fields: Fields, options: CallOptions): Promise<Response> {
    const { method, path, body, headers } = form.request(operation, fields, options)
    const url = `${base}${path}${query(path, options.query)}`
    const content = options.body ?? body
    return ask(url, { method, headers: { ...headers, ...options.headers }, ...(content !== undefined && { body: content }) })
  }
  async function call(operation: Operation, fields: Fields = {}, options: CallOptions = {}): Promise<Reply> {
    const response = await request(operation, fields, options)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    binding,
    call,
    result: async <Result>(operation: Operation, fields?: Fields, options?: CallOptions) =>
      form.result(await call(operation, fields, options)) as Result,
    refusal: async (operation, fields, options) => form.error(await call(operation, fields, options)),
    async stream(operation, fields = {}, options = {}) {
      const response = await request(operation, fields, options)
      return readEvents(response, form.payload)
    },
  }
}

function formOf(binding: Binding): Form {
  return binding === 'JSONRPC' ? jsonRpcForm : httpJsonForm
}

function query(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(parameters).toString()
  return text === '' ? '' : `${path.includes('?') ? '&' : '?'}${text}`
}
