import type { TaskJson } from '@moorage/protocol'
import type { RawEvent } from '../raw-stream.js'
import type { TaskPlan } from './plan.js'
import type { Expected } from './story.js'

/** A message that a client has sent, and been acknowledged. */
export interface Sent {
  readonly messageId: string
  readonly kind: 'message' | 'command'
}

/** What the client of one task has seen; times are those of `performance.now()`. */
export interface Account {
  readonly plan: TaskPlan
  readonly expected: Expected
  readonly begun: number
  readonly ended: number
  /** Undefined where the answer was a Message. */
  readonly taskId: string | undefined
  readonly acknowledged: readonly Sent[]
  /** All that the streams have brought, in the order of arrival. */
  readonly events: readonly RawEvent[]
  /** The text of the Message that was the answer. */
  readonly answer: string | undefined
  /** The task as GetTask has it in the end. */
  readonly task: TaskJson | undefined
}
