import type { Answer, Handler, OperationName } from '../dispatch.js'
import type { Call } from '../operations/call.js'
import { EXTENSIONS_HEADER } from '../service-parameters.js'

/** One event of a stream, in the form of the protocol's version. */
export interface MethodEvent {
  readonly seq: number
  readonly payload: object
}

/** A method over unchecked params. */
export type Method = (params: object, call: Call) => Promise<Answer<MethodEvent>>

/** What a version of the protocol says in JSON-RPC. */
export interface JsonRpcDialect {
  /** The header that names extensions, in the answer too. */
  readonly extensionsHeader: string
  readonly methods: ReadonlyMap<string, Method>
}

/** The JSON-RPC methods of A2A 1.0 (§9.4). */
const OPERATIONS: ReadonlyMap<string, OperationName> = new Map<string, OperationName>([
  ['SendMessage', 'sendMessage'],
  ['SendStreamingMessage', 'sendStreamingMessage'],
  ['GetTask', 'getTask'],
  ['ListTasks', 'listTasks'],
  ['CancelTask', 'cancelTask'],
  ['SubscribeToTask', 'subscribeToTask'],
  ['CreateTaskPushNotificationConfig', 'createTaskPushNotificationConfig'],
  ['GetTaskPushNotificationConfig', 'getTaskPushNotificationConfig'],
  ['ListTaskPushNotificationConfigs', 'listTaskPushNotificationConfigs'],
  ['DeleteTaskPushNotificationConfig', 'deleteTaskPushNotificationConfig'],
  ['GetExtendedAgentCard', 'getExtendedAgentCard'],
])

/** A2A 1.0 in JSON-RPC. */
export function v10JsonRpc(handlers: Readonly<Record<OperationName, Handler>>): JsonRpcDialect {
  return {
    extensionsHeader: EXTENSIONS_HEADER,
    methods: new Map([...OPERATIONS].map(([method, operation]) => [method, handlers[operation]])),
  }
}
