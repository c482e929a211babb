import { isTerminal, type TaskState } from '@moorage/protocol'

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

/** The states that end a wait whose message is handled, next to the terminal ones: a stream stays open for a credential (A2A §7.6.1). */
const ENDING: Readonly<Record<'message' | 'stream', readonly TaskState[]>> = {
  message: ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'],
  stream: ['TASK_STATE_INPUT_REQUIRED'],
}

/** Whether a wait ends here (A2A §3.1.6, §3.2.2, §11.7). The end of an older message never ends the wait of a newer one. */
export function endsWait(wait: Wait, { state, handled, replyTo }: Progress): boolean {
  if (isTerminal(state)) return true
  if (wait.kind === 'subscription') return false
  if (wait.kind === 'command') return replyTo === wait.position || handled >= wait.position
  return handled >= wait.position && ENDING[wait.kind].includes(state)
}
