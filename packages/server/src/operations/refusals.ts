import { TaskNotCancelableError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { Refusal as InboxRefusal } from '@moorage/inbox'
import { invalidParam, Refusal } from '../errors.js'
import { taskNotFound } from './read-task.js'

/** How long to wait before a message to a task that is full is sent again. */
const FULL_RETRY_SECONDS = 10

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
    case 'full':
      return new Refusal('TooFast', { message: 'Too many messages are waiting on this task', retryAfterSeconds: FULL_RETRY_SECONDS })
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

function accessRefused({ reason, taskId = '' }: InboxRefusal): Error {
  if (reason !== 'role') return taskNotFound(taskId)
  return new UnsupportedOperationError({ message: 'A watcher of the task may only read it', metadata: { taskId } })
}
