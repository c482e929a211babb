import type { ErrorRow } from '@moorage/protocol'
import type { OperationName } from '../dispatch.js'
import type { TestServer } from './test-server.js'

export type Fields = Readonly<Record<string, unknown>>

/** What a test reads of an error, whichever binding told it. */
interface ToldError {
  readonly httpStatus: number
  readonly contentType: string | null
  /** JSON-RPC's code, or the HTTP status in the body. */
  readonly code: number
  readonly message: string
  readonly details: readonly { readonly '@type': string; readonly [field: string]: unknown }[]
}

/** One binding as a client uses it. */
export interface TestBinding {
  readonly name: 'JSON-RPC' | 'HTTP+JSON'
  call(server: TestServer, operation: OperationName, request?: Fields, init?: RequestInit): Promise<Response>
  /** The operation's result; fails where it is an error. */
  result(response: Response): Promise<Fields>
  error(response: Response): Promise<ToldError>
  /** The payload of one event of a stream. */
  payload(data: string): Fields
  /** What the table says that the error is. */
  expected(row: ErrorRow): { readonly httpStatus: number; readonly code: number }
}

const VERSION = { 'A2A-Version': '1.0' }
const OWN_STATUS = new Set([401, 403, 413, 429, 500, 503])

const jsonRpc: TestBinding = {
  name: 'JSON-RPC',
  call(server, operation, params = {}, init = {}) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: operation.replace(/^./, (letter) => letter.toUpperCase()), params })
    return server.fetch('/a2a', {
      method: 'POST',
      body,
      ...init,
      headers: { ...VERSION, 'Content-Type': 'application/json', ...init.headers },
    })
  },
  async result(response) {
    const { jsonrpc, id, result, error } = (await response.json()) as { jsonrpc: string; id: number; result: Fields; error?: object }
    if (jsonrpc !== '2.0' || id !== 7 || error) throw new Error(`no result: ${JSON.stringify(error)}`)
    return result
  },
  async error(response) {
    const { error } = (await response.json()) as { error: { code: number; message: string; data?: ToldError['details'] } }
    return { ...head(response), code: error.code, message: error.message, details: error.data ?? [] }
  },
  payload: (data) => (JSON.parse(data) as { result: Fields }).result,
  expected: ({ code, httpStatus }) => ({ code, httpStatus: OWN_STATUS.has(httpStatus) && code !== -32006 ? httpStatus : 200 }),
}

const httpJson: TestBinding = {
  name: 'HTTP+JSON',
  call(server, operation, request = {}, init = {}) {
    const { path, method, body } = httpRequest(operation, request)
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    return server.fetch(path, { method, ...content, ...init, headers: { ...VERSION, ...type, ...init.headers } })
  },
  async result(response) {
    const body = (await response.json()) as Fields
    if (!response.ok) throw new Error(`no result: ${JSON.stringify(body)}`)
    return body
  },
  async error(response) {
    const { error } = (await response.json()) as { error: Omit<ToldError, 'httpStatus' | 'contentType'> }
    return { ...error, ...head(response) }
  },
  payload: (data) => JSON.parse(data) as Fields,
  expected: ({ httpStatus }) => ({ code: httpStatus, httpStatus }),
}

/** Both bindings, for `describe.each`. */
export const BINDINGS = [jsonRpc, httpJson]

function head(response: Response): Pick<ToldError, 'httpStatus' | 'contentType'> {
  return { httpStatus: response.status, contentType: response.headers.get('Content-Type') }
}

function httpRequest(operation: OperationName, request: Fields): { path: string; method: string; body?: object } {
  const { id = '', taskId = '', ...rest } = request as { id?: string; taskId?: string; [field: string]: unknown }
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]))
  const task = `/a2a/tasks/${encodeURIComponent(id)}`
  const configs = `/a2a/tasks/${encodeURIComponent(taskId)}/pushNotificationConfigs`
  switch (operation) {
    case 'sendMessage':
      return { path: '/a2a/message:send', method: 'POST', body: request }
    case 'sendStreamingMessage':
      return { path: '/a2a/message:stream', method: 'POST', body: request }
    case 'getTask':
      return { path: `${task}?${query}`, method: 'GET' }
    case 'listTasks':
      return { path: `/a2a/tasks?${query}`, method: 'GET' }
    case 'cancelTask':
      return { path: `${task}:cancel`, method: 'POST', body: rest }
    case 'authorizeTask':
      return { path: `${task}:authorize`, method: 'POST', body: rest }
    case 'subscribeToTask':
      return { path: `${task}:subscribe?${query}`, method: 'GET' }
    case 'createTaskPushNotificationConfig':
      return { path: configs, method: 'POST', body: id === '' ? rest : { ...rest, id } }
    case 'listTaskPushNotificationConfigs':
      return { path: `${configs}?${query}`, method: 'GET' }
    case 'getTaskPushNotificationConfig':
      return { path: `${configs}/${encodeURIComponent(id)}?${query}`, method: 'GET' }
    case 'deleteTaskPushNotificationConfig':
      return { path: `${configs}/${encodeURIComponent(id)}?${query}`, method: 'DELETE' }
    case 'getExtendedAgentCard':
      return { path: `/a2a/extendedAgentCard?${query}`, method: 'GET' }
  }
}
