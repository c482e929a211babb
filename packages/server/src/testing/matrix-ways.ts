import { ERROR_TABLE, type ErrorName } from '@moorage/protocol'
import type { OperationName } from '../dispatch.js'
import { http, rpc } from '../v0-3/testing/v0-3-server.js'
import { BINDINGS, type Fields, type TestBinding } from './bindings.js'
import type { TestServer } from './test-server.js'

type Headers = Readonly<Record<string, string>>

/** What a client reads of an error, whichever way it came. */
export interface ToldRefusal {
  readonly httpStatus: number
  readonly code: number
  readonly reason: string | undefined
}

/** One way to ask for an operation: a binding of a version. */
export interface MatrixWay {
  readonly name: string
  readonly version: '1.0' | '0.3'
  readonly has: (operation: OperationName) => boolean
  call(server: TestServer, operation: OperationName, request: Fields, headers: Headers): Promise<Response>
  told(response: Response, text: string): ToldRefusal
  expected(error: ErrorName): ToldRefusal
}

interface WireError {
  readonly code: number
  readonly data?: readonly { readonly reason?: string }[]
  readonly details?: readonly { readonly reason?: string }[]
}

function told(response: Response, { code, data, details }: WireError): ToldRefusal {
  return { httpStatus: response.status, code, reason: (data ?? details)?.[0]?.reason }
}

function reasonOf(error: ErrorName): string | undefined {
  const row = ERROR_TABLE[error]
  return 'reason' in row ? row.reason : undefined
}

function inV10(binding: TestBinding): MatrixWay {
  return {
    name: binding.name,
    version: '1.0',
    has: (operation) => operation !== 'authorizeTask' || binding.name === 'HTTP+JSON',
    call: (server, operation, request, headers) => binding.call(server, operation, request, { headers }),
    told: (response, text) => told(response, (JSON.parse(text) as { error: WireError }).error),
    expected: (error) => ({ ...binding.expected(ERROR_TABLE[error]), reason: reasonOf(error) }),
  }
}

const METHODS: Readonly<Partial<Record<OperationName, string>>> = {
  sendMessage: 'message/send',
  sendStreamingMessage: 'message/stream',
  getTask: 'tasks/get',
  cancelTask: 'tasks/cancel',
  subscribeToTask: 'tasks/resubscribe',
  createTaskPushNotificationConfig: 'tasks/pushNotificationConfig/set',
  getTaskPushNotificationConfig: 'tasks/pushNotificationConfig/get',
  listTaskPushNotificationConfigs: 'tasks/pushNotificationConfig/list',
  deleteTaskPushNotificationConfig: 'tasks/pushNotificationConfig/delete',
  getExtendedAgentCard: 'agent/getAuthenticatedExtendedCard',
}

/** A request of 1.0 as 0.3 puts it in JSON-RPC. */
function paramsOf(operation: OperationName, { message, ...request }: Fields): Fields {
  const { taskId, id, url } = request
  if (operation === 'createTaskPushNotificationConfig') return { taskId, pushNotificationConfig: { id, url } }
  if (operation.endsWith('PushNotificationConfig')) return { id: taskId, pushNotificationConfigId: id }
  if (operation === 'listTaskPushNotificationConfigs') return { id: taskId }
  if (message === undefined) return request
  const parts = [{ kind: 'text', text: 'hello' }]
  return { message: { ...(message as Fields), kind: 'message', role: 'user', parts }, configuration: { blocking: false } }
}

const legacyRpc: MatrixWay = {
  name: 'JSON-RPC of 0.3',
  version: '0.3',
  has: (operation) => METHODS[operation] !== undefined,
  call: (server, operation, request, headers) => rpc(server, METHODS[operation] ?? '', paramsOf(operation, request), headers),
  told: (response, text) => told(response, (JSON.parse(text) as { error: WireError }).error),
  expected: (error) => inV10(BINDINGS[0] as TestBinding).expected(error),
}

function legacyHttp(
  operation: OperationName,
  { id, taskId, url, message }: Fields,
): readonly [verb: string, path: string, body: Fields | undefined] {
  const configs = `tasks/${String(taskId)}/pushNotificationConfigs`
  const content = [{ text: 'hello' }]
  const send = { request: { ...(message as Fields), parts: undefined, content }, configuration: { blocking: false } }
  switch (operation) {
    case 'sendMessage':
      return ['POST', 'message:send', send]
    case 'sendStreamingMessage':
      return ['POST', 'message:stream', send]
    case 'cancelTask':
      return ['POST', `tasks/${String(id)}:cancel`, {}]
    case 'subscribeToTask':
      return ['POST', `tasks/${String(id)}:subscribe`, {}]
    case 'createTaskPushNotificationConfig':
      return ['POST', configs, { config: { pushNotificationConfig: { id, url } } }]
    case 'listTaskPushNotificationConfigs':
      return ['GET', configs, undefined]
    case 'getTaskPushNotificationConfig':
      return ['GET', `${configs}/${String(id)}`, undefined]
    case 'deleteTaskPushNotificationConfig':
      return ['DELETE', `${configs}/${String(id)}`, undefined]
    case 'getExtendedAgentCard':
      return ['GET', 'card', undefined]
    case 'getTask':
    case 'listTasks':
    case 'authorizeTask':
      return ['GET', `tasks/${String(id)}`, undefined]
  }
}

const legacyHttpJson: MatrixWay = {
  name: 'HTTP+JSON of 0.3',
  version: '0.3',
  has: (operation) => METHODS[operation] !== undefined,
  call: (server, operation, request, headers) => http(server, ...legacyHttp(operation, request), headers),
  told: (response, text) => told(response, JSON.parse(text) as WireError),
  expected(error) {
    const { code, httpStatus } = ERROR_TABLE[error]
    return { code, httpStatus, reason: reasonOf(error) }
  },
}

/** Both bindings of both versions, for `describe.each`. */
export const MATRIX_WAYS: readonly MatrixWay[] = [...BINDINGS.map(inV10), legacyRpc, legacyHttpJson]
