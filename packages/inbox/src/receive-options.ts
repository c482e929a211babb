import type { PolicyOptions } from './policies.js'

/** What of the agent decides about a message. */
export interface ReceiveOptions {
  /** The id of the agent that is addressed. */
  readonly agent: string
  /** The names of the agent's commands. */
  readonly commands: ReadonlySet<string>
  /** How many messages may wait on one task, and how many commands, beside what a turn has taken. @default 1000 */
  readonly maxWaiting?: number
  /** How many bytes they may have together, as JSON; the one that goes beyond is still accepted. @default 67108864 (64 MiB) */
  readonly maxWaitingBytes?: number
  /** `'off'`: the same message id again is another message, and a new task's id is random. @default 'on' */
  readonly idempotency?: 'on' | 'off'
  /**
   * Whether the sender waits for the end of its message and takes a Message for an answer: then the task that a first message makes is `direct`
   * (see NewTask in `@moorage/store`). The same message sent again without it gets the Task. @default false
   */
  readonly direct?: boolean
  /** Asked about a message that everything else allows, outside of any transaction. @default everything else decides alone */
  readonly policies?: PolicyOptions
}
