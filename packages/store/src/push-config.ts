import type { TaskRecord } from './task-store.js'

/** A push notification config of a task (A2A §4.3.1) as it is kept: what is secret has been sealed by whoever gives it. */
export interface PushConfigRecord {
  /** Chosen by the client or for it; counts within its task only. */
  readonly id: string
  readonly url: string
  /** The HTTP authentication scheme. */
  readonly scheme?: string
  /** Token and credentials. */
  readonly sealed?: string
  /** Major.Minor of the protocol in which it was registered. */
  readonly wireVersion: string
}

/** A config and its task at one moment. */
export interface FoundPushConfig {
  readonly record: TaskRecord
  readonly config: PushConfigRecord | undefined
}

/** A part of the configs of a task, in the order in which they were registered. */
export interface PushConfigQuery {
  readonly pageSize: number
  /** Where the page before ended. */
  readonly after?: number
}

/** One page of configs and their task at one moment. */
export interface PushConfigPage {
  readonly record: TaskRecord
  readonly configs: readonly PushConfigRecord[]
  /** Absent on the last page. */
  readonly next?: number
}
