import type { Agent } from '@moorage/agent'
import type { LegacyAgentCardJson } from '@moorage/card/routes'
import { createRedactor } from '@moorage/inbox'
import type {
  AgentCardJson,
  AuthorizeTaskRequestJson,
  CancelTaskRequestJson,
  CreatePushConfigRequestJson,
  GetExtendedAgentCardRequestJson,
  GetTaskRequestJson,
  ListPushConfigsRequestJson,
  ListPushConfigsResponseJson,
  ListTasksRequestJson,
  ListTasksResponseJson,
  OnePushConfigRequestJson,
  SendMessageRequestJson,
  SendMessageResponseJson,
  SubscribeToTaskRequestJson,
  TaskJson,
  TaskPushNotificationConfigJson,
} from '@moorage/protocol'
import type { PushKeyRing } from '@moorage/push'
import type { TaskStore } from '@moorage/store'
import type { Waker } from '@moorage/workflow/contract'
import { authorizeTask } from './authorize-task.js'
import type { Call, StreamEvent } from './call.js'
import { cancelTask } from './cancel-task.js'
import type { OperationContext } from './context.js'
import type { MayActFor, ResolveParticipant } from './enter.js'
import { type ExtendCard, getExtendedAgentCard } from './get-extended-agent-card.js'
import { getTask } from './get-task.js'
import { listTasks } from './list-tasks.js'
import { createPageTokens } from './page-token.js'
import { createPushConfig, getPushConfig, listPushConfigs, removePushConfig } from './push-configs.js'
import { refuseSecretIds } from './refuse-secret-ids.js'
import { requireOperationOptions } from './require-operation-options.js'
import { sendMessage } from './send-message.js'
import { sendStreamingMessage } from './send-streaming-message.js'
import { subscribeToTask } from './subscribe-to-task.js'

/**
 * The eleven operations of A2A 1.0, and one of ours, over requests in wire JSON that a schema has read. Both bindings are thin over them. What a stream
 * refuses, it refuses before it begins: by the promise.
 */
export interface Operations {
  sendMessage(request: SendMessageRequestJson, call: Call): Promise<SendMessageResponseJson>
  sendStreamingMessage(request: SendMessageRequestJson, call: Call): Promise<AsyncIterable<StreamEvent>>
  getTask(request: GetTaskRequestJson, call: Call): Promise<TaskJson>
  listTasks(request: ListTasksRequestJson, call: Call): Promise<ListTasksResponseJson>
  cancelTask(request: CancelTaskRequestJson, call: Call): Promise<TaskJson>
  subscribeToTask(request: SubscribeToTaskRequestJson, call: Call): Promise<AsyncIterable<StreamEvent>>
  createTaskPushNotificationConfig(request: CreatePushConfigRequestJson, call: Call): Promise<TaskPushNotificationConfigJson>
  getTaskPushNotificationConfig(request: OnePushConfigRequestJson, call: Call): Promise<TaskPushNotificationConfigJson>
  listTaskPushNotificationConfigs(request: ListPushConfigsRequestJson, call: Call): Promise<ListPushConfigsResponseJson>
  deleteTaskPushNotificationConfig(request: OnePushConfigRequestJson, call: Call): Promise<Readonly<Record<string, never>>>
  getExtendedAgentCard(request: GetExtendedAgentCardRequestJson, call: Call): Promise<AgentCardJson | LegacyAgentCardJson>
  /** No operation of A2A: lets a task go on that is AUTH_REQUIRED. */
  authorizeTask(request: AuthorizeTaskRequestJson, call: Call): Promise<TaskJson>
}

export interface OperationsOptions {
  readonly agent: Agent
  readonly card: AgentCardJson
  readonly store: TaskStore
  readonly waker: Waker
  /** After how many milliseconds a blocking send answers with the Task as it is; 0: never. @default 600000 */
  readonly blockingTimeoutMs?: number
  /** How many messages may wait on one task. @default 1000 */
  readonly maxWaiting?: number
  /** `'off'`: a message id that comes again is another message, and task ids are random. @default 'on' */
  readonly idempotency?: 'on' | 'off'
  /** Seal the secrets of push notification configs: needed where the card declares push notifications, and not used elsewhere. */
  readonly pushKeys?: PushKeyRing
  /** Texts that are secrets whatever they look like: they are taken out of what is recorded, as everything that looks like one. @default none */
  readonly secrets?: readonly string[]
  /** Whether the identity of a call was authenticated: only then it may not simply name another participant. @default false */
  readonly authenticated?: boolean
  /**
   * Names the participant that a caller is, and alone does: the header and the metadata are ignored then. Undefined: none, which may send
   * nothing and finds no task. One that throws fails its request only.
   */
  readonly resolveParticipant?: ResolveParticipant
  /** Whether an authenticated caller may act under another name than its subject, given in the header or the metadata. @default never */
  readonly mayActFor?: MayActFor
  /** Makes the extended card of a caller, where the card declares that there is one. @default ExtendedAgentCardNotConfigured */
  readonly extendCard?: ExtendCard
}

/** @throws TypeError that names the option that is wrong. */
export function createOperations(options: OperationsOptions): Operations {
  requireOperationOptions('createOperations', options)
  const { agent, card, store, waker, blockingTimeoutMs = 600_000, maxWaiting = 1000, idempotency = 'on' } = options
  const redactor = createRedactor(options.secrets)
  const pageTokens = createPageTokens(store.tokenKey)
  const commands = new Set(Object.keys(agent.commands))
  const context: OperationContext = {
    agent,
    card,
    store,
    waker,
    pageTokens,
    commands,
    blockingTimeoutMs,
    maxWaiting,
    idempotency,
    pushKeys: options.pushKeys,
    redactor,
    authenticated: options.authenticated ?? false,
    resolveParticipant: options.resolveParticipant,
    mayActFor: options.mayActFor,
    extendCard: options.extendCard,
  }
  /** No id that is recorded may be a secret. */
  const safe =
    <Request extends object, Answer>(
      operation: (context: OperationContext, request: Request, call: Call) => Promise<Answer>,
      audited?: string,
    ) =>
    async (request: Request, call: Call): Promise<Answer> => {
      await refuseSecretIds(context, request, call, audited)
      return operation(context, request, call)
    }
  return {
    sendMessage: safe(sendMessage, 'message'),
    sendStreamingMessage: safe(sendStreamingMessage, 'message'),
    getTask: safe(getTask, 'get task'),
    listTasks: safe(listTasks),
    cancelTask: safe(cancelTask, 'cancel'),
    subscribeToTask: safe(subscribeToTask, 'subscribe'),
    createTaskPushNotificationConfig: safe(createPushConfig, 'create push config'),
    getTaskPushNotificationConfig: safe(getPushConfig, 'get push config'),
    listTaskPushNotificationConfigs: safe(listPushConfigs, 'list push configs'),
    deleteTaskPushNotificationConfig: safe(removePushConfig, 'delete push config'),
    getExtendedAgentCard: safe(getExtendedAgentCard),
    authorizeTask: safe(authorizeTask, 'authorize'),
  }
}
