import { TaskNotCancelableError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { type Refusal as InboxRefusal, MAX_PUSH_CONFIGS } from '@moorage/inbox'
import type { AuthorizationRefusal } from '@moorage/inbox/receive'
import { invalidParam, Refusal } from '../errors.js'
import { INLINE_PUSH_CONFIG } from './inline-push-config.js'
import { taskNotFound } from './read-task.js'

/** How long to wait before a message to a task that is full is sent again. */
const FULL_RETRY_SECONDS = 10
/** The same for a message that was being decided about when the server stopped. */
const ABORTED_RETRY_SECONDS = 5

/** The protocol's error for a message that the inbox refused. */
export function sendRefused(refusal: InboxRefusal): Error {
  switch (refusal.reason) {
    case 'terminal':
      return new UnsupportedOperationError({
        message: `The task is in a terminal state (${refusal.state}): send a new message without taskId`,
        metadata: { taskId: refusal.taskId, state: refusal.state },
      })
    case 'context':
      return invalidParam('message.contextId', 'Leave it out or send the contextId of the task.')
    case 'content':
      return invalidParam('message.messageId', 'This id was sent before with other content: give each message its own id.')
    case 'reference':
      return invalidParam(`message.referenceTaskIds[${refusal.index}]`, 'Name tasks that you take part in.')
    case 'full':
      return new Refusal('TooFast', { message: 'Too many messages are waiting on this task', retryAfterSeconds: FULL_RETRY_SECONDS })
    case 'policy':
      return new Refusal('PermissionDenied', { message: refusal.publicReason })
    case 'aborted':
      return new Refusal('Unavailable', { retryAfterSeconds: ABORTED_RETRY_SECONDS })
    case 'push-configs':
      return tooManyPushConfigs(INLINE_PUSH_CONFIG)
    case 'task-not-found':
    case 'role':
      return accessRefused(refusal)
  }
}

/** The protocol's error for a cancel that the inbox refused (A2A §3.1.5). */
export function cancelRefused(refusal: InboxRefusal): Error {
  if (refusal.reason !== 'terminal') return accessRefused(refusal)
  return new TaskNotCancelableError({
    message: `The task is in a terminal state (${refusal.state})`,
    metadata: { taskId: refusal.taskId, state: refusal.state },
  })
}

/** The protocol's error for an authorisation that the inbox refused. */
export function authorizationRefused(refusal: AuthorizationRefusal): Error {
  const { taskId } = refusal
  switch (refusal.reason) {
    case 'task-not-found':
      return taskNotFound(taskId)
    case 'scheme':
      return invalidParam('scheme', 'Leave it out or name the scheme that the task asks for.')
    case 'role':
      return new UnsupportedOperationError({ message: 'Only a reporter or an admin of the task may authorise it', metadata: { taskId } })
    case 'terminal':
    case 'not-waiting': {
      const { state } = refusal
      const message = `The task waits for no authorisation: it is in the state ${state}`
      return new UnsupportedOperationError({ message, metadata: { taskId, state } })
    }
  }
}

/** The protocol's error for a change to push notification configs that the inbox refused (A2A §3.1.7, §3.1.10). */
export function pushConfigRefused(refusal: InboxRefusal): Error {
  return refusal.reason === 'push-configs' ? tooManyPushConfigs('taskId') : accessRefused(refusal)
}

function tooManyPushConfigs(field: string): Error {
  const description = `The task has ${MAX_PUSH_CONFIGS} push notification configs, the most that it may have: delete one, or replace one by its id.`
  return invalidParam(field, description)
}

export function accessRefused({ reason, taskId = '' }: InboxRefusal): Error {
  if (reason !== 'role') return taskNotFound(taskId)
  return new UnsupportedOperationError({
    message: 'A watcher of the task may only read it, and not its push notification configs',
    metadata: { taskId },
  })
}
