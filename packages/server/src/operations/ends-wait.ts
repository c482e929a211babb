import type { TaskState } from '@moorage/protocol'

/**
 * What a request waits for: a blocking send (`message`), a stream of a send (`stream`) or the reply to a command (`command`), each for
 * the message at `position`; or, without one, a subscription.
 */
export type Wait = { readonly kind: 'message' | 'stream' | 'command'; readonly position: number } | { readonly kind: 'subscription' }

/** What of a log entry, or of a task, decides. */
export interface Progress {
  readonly state: TaskState
  /** The last position of the contiguous prefix of handled messages. */
  readonly handled: number
  readonly replyTo?: number
}

/** Whether a state ends a wait: whatever the wait's message has come to, or once it is handled, or answered too, or not at all. */
type End = 'always' | 'handled' | 'answered' | 'never'
type Ends = Readonly<Record<Wait['kind'], End>>

const GOES_ON: Ends = { message: 'never', stream: 'never', command: 'answered', subscription: 'never' }
const ASKS: Ends = { message: 'handled', stream: 'handled', command: 'answered', subscription: 'never' }
/** A stream stays open for a credential, which comes out of band (A2A §7.6.1). */
const ASKS_FOR_CREDENTIALS: Ends = { message: 'handled', stream: 'never', command: 'answered', subscription: 'never' }
const IS_OVER: Ends = { message: 'always', stream: 'always', command: 'always', subscription: 'always' }

/** A2A §3.1.6, §3.2.2, §11.7. */
const ENDS: Readonly<Record<TaskState, Ends>> = {
  TASK_STATE_SUBMITTED: GOES_ON,
  TASK_STATE_WORKING: GOES_ON,
  TASK_STATE_INPUT_REQUIRED: ASKS,
  TASK_STATE_AUTH_REQUIRED: ASKS_FOR_CREDENTIALS,
  TASK_STATE_COMPLETED: IS_OVER,
  TASK_STATE_FAILED: IS_OVER,
  TASK_STATE_CANCELED: IS_OVER,
  TASK_STATE_REJECTED: IS_OVER,
}

/** Whether a wait ends here. The end of an older message never ends the wait of a newer one; the end of the task ends all. */
export function endsWait(wait: Wait, { state, handled, replyTo }: Progress): boolean {
  const end = ENDS[state][wait.kind]
  if (end === 'always') return true
  if (end === 'never' || wait.kind === 'subscription') return false
  return handled >= wait.position || (end === 'answered' && replyTo === wait.position)
}
