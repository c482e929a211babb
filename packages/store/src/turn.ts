import type { Json, JsonObject, MessageJson, PartJson } from '@moorage/protocol'
import type { Authorization, ReceivedMessage, Waiting } from './inbox-row.js'
import type { Sender } from './principal.js'

/** Which turn may write, and which attempt at it: both numbered by the store. */
export interface Fence {
  readonly turn: number
  readonly attempt: number
}

/**
 * How a turn ended. `message` is what the agent says with it. A `reply` answers the first message with a Message, where its task was made for
 * that and this is its first turn; everywhere else it completes the task or, with `parks`, parks it.
 */
export interface TurnOutcome {
  readonly kind: 'complete' | 'fail' | 'reject' | 'ask' | 'require-auth' | 'park' | 'reply'
  readonly parks?: boolean
  /** What a `require-auth` asks for. */
  readonly scheme?: string
  readonly message?: MessageJson
}

/** What is left to do after a transaction. `last` is the last position it saw, `terminal` whether the task has ended. */
export interface Remaining {
  readonly unhandled: readonly Waiting[]
  readonly last: number
  readonly terminal: boolean
}

/** One write of a running turn. `replace` starts the artifact anew, `last` marks its last chunk. */
export type TurnWrite =
  | {
      readonly kind: 'artifact'
      readonly artifactId: string
      readonly parts: readonly PartJson[]
      readonly name?: string
      readonly description?: string
      readonly replace?: boolean
      readonly last?: boolean
    }
  | { readonly kind: 'status'; readonly message: MessageJson }

/**
 * What became of a write behind a fence. `stale`: another turn or attempt writes now. `terminal`: the task has ended. Neither wrote anything.
 * `duplicate`: this batch had been written before.
 */
export type AppendResult = 'appended' | 'duplicate' | 'stale' | 'terminal'

/** What became of a write that may end a turn or a command, and what is left to do. */
export interface AppendOutcome extends Remaining {
  readonly result: AppendResult
}

/**
 * Which execution opens a turn or claims a command: `id` is the same for every attempt of one scheduling, `attempt` grows. An attempt older
 * than one that has opened the turn, or claimed the command, is refused.
 */
export interface Scheduling {
  readonly id: string
  readonly attempt: number
}

/** What a turn's Activity starts from. `idle`: there is nothing to run; `stale`: a later attempt of the same scheduling has the turn. */
export type TurnOpening =
  | (Remaining & { readonly kind: 'idle' | 'stale' })
  | (Remaining & {
      readonly kind: 'opened'
      readonly fence: Fence
      readonly contextId: string
      /** The number of the last batch written in this turn. */
      readonly batch: number
      /** Where the log stood when the turn was opened. */
      readonly cursor: number
      /** The messages that the turn took; behind an authorisation, those of the turns in a row that asked for it go before. */
      readonly received: readonly ReceivedMessage[]
      /** What the turn was opened for, where that was an authorisation. */
      readonly authorization?: Authorization
      /** The recorded steps of the turn, by name. */
      readonly steps: ReadonlyMap<string, Json>
    })

/** What a command's Activity starts from. `claim` fences what the command writes; `stale`: a later attempt of the same scheduling has the command. */
export type CommandOpening =
  | (Remaining & { readonly kind: 'idle' | 'stale' })
  | (Remaining & {
      readonly kind: 'claimed'
      readonly position: number
      readonly claim: number
      readonly contextId: string
      readonly command: string
      readonly args: string
      readonly sender: Sender
      /** What the agent's policies noted on the command. */
      readonly annotations: JsonObject
    })
