import type { TaskState } from './task-state.js'

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A JSON object, as in every `metadata` field of the protocol. */
export type JsonObject = { readonly [key: string]: Json }

export type Role = 'ROLE_USER' | 'ROLE_AGENT'

interface PartAttributes {
  readonly metadata?: JsonObject
  readonly filename?: string
  readonly mediaType?: string
}

/** A Part in ProtoJSON (A2A §4.1.6): exactly one of `text`, `raw` (standard base64), `url` and `data` (any JSON value, null too). */
export type PartJson =
  | (PartAttributes & { readonly text: string })
  | (PartAttributes & { readonly raw: string })
  | (PartAttributes & { readonly url: string })
  | (PartAttributes & { readonly data: Json })

/** A Message in ProtoJSON (A2A §4.1.4). */
export interface MessageJson {
  readonly messageId: string
  readonly role: Role
  readonly parts: readonly PartJson[]
  readonly contextId?: string
  readonly taskId?: string
  readonly metadata?: JsonObject
  readonly extensions?: readonly string[]
  readonly referenceTaskIds?: readonly string[]
}

/** An Artifact in ProtoJSON (A2A §4.1.7). */
export interface ArtifactJson {
  readonly artifactId: string
  readonly parts: readonly PartJson[]
  readonly name?: string
  readonly description?: string
  readonly metadata?: JsonObject
  readonly extensions?: readonly string[]
}

/** A TaskStatus in ProtoJSON (A2A §4.1.2); `timestamp` is ISO 8601 in UTC with milliseconds. */
export interface TaskStatusJson {
  readonly state: TaskState
  readonly timestamp: string
  readonly message?: MessageJson
}

/** A Task in ProtoJSON (A2A §4.1.1). `artifacts` and `history` are left out where the operation says so, and present otherwise. */
export interface TaskJson {
  readonly id: string
  readonly contextId: string
  readonly status: TaskStatusJson
  readonly artifacts?: readonly ArtifactJson[]
  readonly history?: readonly MessageJson[]
  readonly metadata?: JsonObject
}

/** A TaskStatusUpdateEvent in ProtoJSON (A2A §4.2.1). */
export interface TaskStatusUpdateEventJson {
  readonly taskId: string
  readonly contextId: string
  readonly status: TaskStatusJson
  readonly metadata?: JsonObject
}

/** A TaskArtifactUpdateEvent in ProtoJSON (A2A §4.2.2). With `append` the parts follow the artifact's parts; without, they replace them. */
export interface TaskArtifactUpdateEventJson {
  readonly taskId: string
  readonly contextId: string
  readonly artifact: ArtifactJson
  readonly append?: boolean
  readonly lastChunk?: boolean
  readonly metadata?: JsonObject
}

/** One event of a stream (A2A §3.2.3): exactly one of the four fields. */
export type StreamResponseJson =
  | { readonly task: TaskJson }
  | { readonly message: MessageJson }
  | { readonly statusUpdate: TaskStatusUpdateEventJson }
  | { readonly artifactUpdate: TaskArtifactUpdateEventJson }

/** The answer of SendMessage (A2A §3.1.1): a Task or a Message, wrapped. */
export type SendMessageResponseJson = { readonly task: TaskJson } | { readonly message: MessageJson }
