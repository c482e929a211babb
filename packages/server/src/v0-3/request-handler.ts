import {
  AgentCard,
  type Artifact,
  CancelTaskRequest,
  GetTaskRequest,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk'
import { UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { A2ARequestHandler } from '@a2a-js/sdk/server'
import type { AgentCardJson, SendMessageResponseJson } from '@moorage/protocol'
import type { Answer, OperationName } from '../dispatch.js'
import type { Call, StreamEvent } from '../operations/call.js'
import { type Handlers, v03Handlers } from './handlers.js'

interface ConfigKey {
  readonly taskId: string
  readonly id: string
}

/** What a request handler of the SDK cannot say to whoever calls it through the SDK. */
export interface RequestHandlerNotes {
  /** What an operation refused, before the SDK makes an error of its own of it. */
  failure: unknown
  /** Settles as soon as the operation of a stream has begun, or was refused. */
  begun: Promise<unknown> | undefined
  /** The place in the log of the event that was put out last. */
  seq: number
  /** Whether that event ends its stream. */
  last: boolean
}

/** Asks an operation, in wire JSON. */
interface Asker {
  value(operation: OperationName, request: unknown): Promise<unknown>
  stream(operation: OperationName, request: unknown): AsyncGenerator<StreamResponse, void, undefined>
}

function createAsker(operations: Handlers, call: Call, notes: RequestHandlerNotes): Asker {
  async function ask(operation: OperationName, request: unknown): Promise<Answer> {
    try {
      return await operations[operation](request, call)
    } catch (error) {
      notes.failure = error
      throw error
    }
  }

  async function open(operation: OperationName, request: unknown): Promise<AsyncIterable<StreamEvent>> {
    const answer = await ask(operation, request)
    if (answer.kind === 'stream') return answer.events
    throw new Error(`${operation} answers with no stream`)
  }

  async function* decoded(opening: Promise<AsyncIterable<StreamEvent>>): AsyncGenerator<StreamResponse, void, undefined> {
    for await (const { seq, payload, last = false } of await opening) {
      notes.seq = seq
      notes.last = last
      yield decodeEvent(payload)
    }
  }

  return {
    async value(operation, request) {
      const answer = await ask(operation, request)
      return answer.kind === 'value' ? answer.value : undefined
    },
    /** Begins at once, and not when the first event is asked for: what is refused is then no stream. */
    stream(operation, request) {
      const opening = open(operation, request)
      notes.begun = opening
      // Whoever waits for it is told.
      opening.catch(() => {})
      return decoded(opening)
    },
  }
}

/**
 * The SDK's port over our operations, for one request: its types are objects of the proto, ours are wire JSON, which is what the schemas
 * check.
 */
export function createRequestHandler(
  { card, handlers }: { readonly card: AgentCardJson; readonly handlers: Handlers },
  call: Call,
  notes: RequestHandlerNotes,
): A2ARequestHandler {
  const { value, stream } = createAsker(v03Handlers(handlers), call, notes)
  return {
    // Whether there are streams is for the operations to say, at their place in the order of refusals.
    getAgentCard: async () => AgentCard.fromJSON({ ...card, capabilities: { ...card.capabilities, streaming: true } }),
    async sendMessage(request) {
      const answer = (await value('sendMessage', SendMessageRequest.toJSON(request))) as SendMessageResponseJson
      return 'task' in answer ? decodeTask(answer.task) : decodeMessage(answer.message)
    },
    sendMessageStream: (request) => stream('sendStreamingMessage', SendMessageRequest.toJSON(request)),
    getTask: async (request) => decodeTask(await value('getTask', GetTaskRequest.toJSON(request))),
    cancelTask: async (request) => decodeTask(await value('cancelTask', CancelTaskRequest.toJSON(request))),
    resubscribe: ({ id }) => stream('subscribeToTask', { id }),
    ...pushConfigs(value),
    // It is answered past the SDK, which would break its signatures.
    getAuthenticatedExtendedAgentCard: async () => {
      throw new UnsupportedOperationError()
    },
    // A2A 0.3 has no such method in JSON-RPC.
    listTasks: async () => {
      throw new UnsupportedOperationError()
    },
  }
}

function pushConfigs(value: Asker['value']) {
  return {
    createTaskPushNotificationConfig: async (config: TaskPushNotificationConfig) =>
      TaskPushNotificationConfig.fromJSON(await value('createTaskPushNotificationConfig', TaskPushNotificationConfig.toJSON(config))),
    getTaskPushNotificationConfig: async ({ taskId, id }: ConfigKey) =>
      TaskPushNotificationConfig.fromJSON(await value('getTaskPushNotificationConfig', { taskId, id })),
    async listTaskPushNotificationConfigs({ taskId }: Omit<ConfigKey, 'id'>) {
      const { configs } = (await value('listTaskPushNotificationConfigs', { taskId })) as { readonly configs: readonly unknown[] }
      return { configs: configs.map((config) => TaskPushNotificationConfig.fromJSON(config)), nextPageToken: '' }
    },
    async deleteTaskPushNotificationConfig({ taskId, id }: ConfigKey) {
      await value('deleteTaskPushNotificationConfig', { taskId, id })
    },
  }
}

function decodeEvent(json: unknown): StreamResponse {
  const event = StreamResponse.fromJSON(json)
  const { payload } = event
  if (payload?.$case === 'task') repairTask(payload.value)
  else if (payload?.$case === 'message') repairParts(payload.value)
  else if (payload?.$case === 'statusUpdate') repairParts(payload.value.status?.message)
  else repairParts(payload?.value.artifact)
  return event
}

function decodeTask(json: unknown): Task {
  return repairTask(Task.fromJSON(json))
}

function decodeMessage(json: unknown): Message {
  const message = Message.fromJSON(json)
  repairParts(message)
  return message
}

function repairTask(task: Task): Task {
  for (const holder of [...task.history, ...task.artifacts, task.status?.message]) repairParts(holder)
  return task
}

/** The SDK takes `data: null` for no content at all; nothing else that is stored has none. */
function repairParts(holder: Message | Artifact | undefined): void {
  for (const part of holder?.parts ?? []) part.content ??= { $case: 'data', value: null }
}
