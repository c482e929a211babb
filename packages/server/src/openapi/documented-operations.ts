import type { OperationName } from '../dispatch.js'
import type { ComponentName, ParametersName } from './components.js'

/** What the document says of an operation, beside its routes. */
interface DocumentedOperation {
  readonly summary: string
  readonly answer: ComponentName | 'stream' | 'nothing'
  /** The fields of a request without a body, which are those of the path and of the query. */
  readonly parameters?: ParametersName
  /** The body of a POST. */
  readonly body?: ComponentName
  readonly bodyIsOptional?: boolean
}

export const DOCUMENTED: Readonly<Record<OperationName, DocumentedOperation>> = {
  sendMessage: {
    summary: 'Sends a message. Answers at the end of its turn, or at once with configuration.returnImmediately (A2A §3.1.1).',
    answer: 'SendMessageResponse',
    body: 'SendMessageRequest',
  },
  sendStreamingMessage: {
    summary: 'Sends a message and streams what becomes of it; needs capabilities.streaming (A2A §3.1.2).',
    answer: 'stream',
    body: 'SendMessageRequest',
  },
  getTask: { summary: 'The task as it is (A2A §3.1.3).', answer: 'Task', parameters: 'getTask' },
  listTasks: {
    summary: 'The tasks that the caller may see, the newest status first (A2A §3.1.4).',
    answer: 'ListTasksResponse',
    parameters: 'listTasks',
  },
  cancelTask: {
    summary: 'Cancels the task, for good when it answers (A2A §3.1.5).',
    answer: 'Task',
    parameters: 'cancelTask',
    body: 'CancelTaskRequest',
    bodyIsOptional: true,
  },
  authorizeTask: {
    summary: 'Says that the authorisation is there which an AUTH_REQUIRED task asks for; it goes on (A2A §7.6.1; no operation of A2A).',
    answer: 'Task',
    parameters: 'authorizeTask',
    body: 'AuthorizeTaskRequest',
    bodyIsOptional: true,
  },
  subscribeToTask: {
    summary: 'The task as it is, then its updates up to its end; with Last-Event-ID what came after that event (A2A §3.1.6).',
    answer: 'stream',
    parameters: 'subscribeToTask',
  },
  createTaskPushNotificationConfig: {
    summary: 'Has the updates of the task sent to a URL; needs capabilities.pushNotifications (A2A §3.1.7).',
    answer: 'TaskPushNotificationConfig',
    parameters: 'createTaskPushNotificationConfig',
    body: 'TaskPushNotificationConfig',
  },
  getTaskPushNotificationConfig: {
    summary: 'One push notification config of the task, without its secrets (A2A §3.1.8).',
    answer: 'TaskPushNotificationConfig',
    parameters: 'onePushConfig',
  },
  listTaskPushNotificationConfigs: {
    summary: 'The push notification configs of the task, without their secrets (A2A §3.1.9).',
    answer: 'ListTaskPushNotificationConfigsResponse',
    parameters: 'listTaskPushNotificationConfigs',
  },
  deleteTaskPushNotificationConfig: {
    summary: 'Deletes a push notification config; one that is gone already too (A2A §3.1.10).',
    answer: 'nothing',
    parameters: 'onePushConfig',
  },
  getExtendedAgentCard: {
    summary: 'The card for callers who are known; needs capabilities.extendedAgentCard (A2A §3.1.11).',
    answer: 'AgentCard',
    parameters: 'getExtendedAgentCard',
  },
}
