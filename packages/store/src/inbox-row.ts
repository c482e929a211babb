import type { JsonObject, MessageJson, TaskState } from '@moorage/protocol'
import type { Principal, Sender } from './principal.js'

/** A `message` runs a turn, and so does the `authorization` that a task has asked for; a `command` runs one of the agent's commands and no turn. */
export type InboxKind = 'message' | 'command' | 'authorization'

/** An inbox row that has not been handled yet: all that a wake carries. */
export interface Waiting {
  readonly position: number
  readonly kind: InboxKind
}

/** How much waits: how many rows, and how many bytes their messages have together, as JSON. */
export interface WaitingSize {
  readonly count: number
  readonly bytes: number
}

/** What is to be recorded for an accepted message. `key` identifies the message and `digest` its content, for the recognition of duplicates. */
export interface NewInboxRow {
  readonly key: string
  readonly digest: string
  readonly message: MessageJson
  readonly sender: Principal
  readonly command?: { readonly name: string; readonly args: string }
  /** What the agent's policies noted on it; clients never see it. */
  readonly annotations?: JsonObject
}

/** An accepted message as its turn gets it. */
export interface ReceivedMessage {
  readonly message: MessageJson
  readonly sender: Sender
  /** What the agent's policies noted on it. */
  readonly annotations: JsonObject
}

/** What is to be recorded for an authorisation that was given outside of the protocol: for what was asked, and who says that it is there. */
export interface NewAuthorization {
  readonly scheme: string
  readonly sender: Principal
}

/** An authorisation as its turn gets it. `at` is ISO 8601 in UTC. */
export interface Authorization {
  readonly scheme: string
  readonly by: Sender
  readonly at: string
}

/** Whether a task waits for an authorisation, and the last one that it got. */
export interface AuthorizationState {
  /** The scheme that it asks for, while it is AUTH_REQUIRED. */
  readonly asked?: string
  readonly given?: { readonly authorization: Authorization; readonly receipt: Receipt; readonly handled: boolean }
}

/** What the sender is told: `cursor` is the sequence number of the log entry that recorded the acceptance. */
export interface Receipt {
  readonly taskId: string
  readonly position: number
  readonly cursor: number
  readonly duplicate: boolean
  readonly state: TaskState
}

/** The receipt of an earlier message with the same key. */
export interface StoredReceipt extends Receipt {
  readonly digest: string
  readonly kind: InboxKind
  readonly handled: boolean
}

/** One line of the audit: never any text of a message. */
export interface AuditRow {
  readonly agent: string
  readonly principal: Principal
  readonly operation: string
  readonly outcome: 'accepted' | 'refused' | 'duplicate'
  readonly taskId?: string
  readonly position?: number
  readonly reason?: string
}
