import type { Generated } from 'kysely'

/**
 * JSON is kept as text in both databases: it is written and served as it is, never queried. So are texts that anybody may write (a command's
 * arguments, an artifact's name and description), since JSON holds every string, and a database's text does not. Times are milliseconds since the epoch.
 */
export interface Schema {
  readonly meta: { name: string; value: string }
  readonly tasks: TasksTable
  readonly task_participants: TaskParticipantsTable
  readonly task_history: { task_id: string; ordinal: number; message: string }
  readonly inbox: InboxTable
  readonly task_events: TaskEventsTable
  readonly artifacts: ArtifactsTable
  readonly artifact_parts: { task_id: string; artifact_id: string; ordinal: number; part: string }
  readonly turns: TurnsTable
  readonly turn_artifacts: TurnArtifactsTable
  readonly steps: { task_id: string; turn: number; name: string; value: string; at: number }
  readonly audit: AuditTable
  readonly push_configs: PushConfigsTable
  readonly wakes: { task_id: string; agent: string; due: number; tries: number }
  /** Primary key: task_id. Tasks that are gone, whose rows in other tables are still being deleted. */
  readonly removals: { task_id: string; agent: string }
  /** Primary key: agent. */
  readonly heartbeats: { agent: string; snapshot: string }
}

/** Primary key: id. Indexes: (agent, tenant, status_at, id) and the same within a context_id; (agent, state, status_at). */
export interface TasksTable {
  id: string
  agent: string
  tenant: string
  context_id: string
  state: string
  status_at: number
  status_message: string | null
  /** The place of the status's message among all messages, kept for when a later status moves it into the history. */
  status_ordinal: number | null
  metadata: string | null
  created_at: number
  seq: number
  position: number
  handled: number
  /** How many messages have been said, by both sides. */
  message_count: number
  artifact_count: number
  turn: number
  attempt: number
  /** The end of the last turn, as JSON, while it waits for commands to be handled. */
  held: string | null
  /**
   * The rows of `task_participants`, as JSON, while the first message may be answered by a Message instead of the Task, and for good where it was:
   * without them the task is nobody's. Null: they are there.
   */
  withheld: string | null
}

/**
 * Primary key: (task_id, participant). Index: (participant, tenant, agent, task_id), with the task's agent and tenant, so that a participant's tasks
 * are counted without a look at each. `roles` is a JSON array, in order.
 */
export interface TaskParticipantsTable {
  task_id: string
  participant: string
  roles: string
  agent: string
  tenant: string
}

/** Primary key: (task_id, position). Unique: message_key. `cursor` and `state` are those of the receipt. */
export interface InboxTable {
  task_id: string
  position: number
  kind: string
  message_key: string
  digest: string
  message: string
  command: string | null
  args: string | null
  /** What the agent's policies noted on the message, as a JSON object; null: nothing. */
  annotations: string | null
  tenant: string
  subject: string
  participant: string
  received_at: number
  cursor: number
  state: string
  handled: number
  turn: number | null
  claim: number
  /** Which execution made the claim. */
  scheduling: string | null
  scheduling_attempt: number
  failures: number
  /** The last claim whose error has been counted. */
  failed_claim: number
}

/** Primary key: (task_id, seq). */
export interface TaskEventsTable {
  task_id: string
  seq: number
  at: number
  state: string
  handled: number
  turn: number | null
  reply_to: number | null
  payload: string
}

/** Primary key: (task_id, artifact_id). `parts` is their number; `discarded` is 1 while it only stands for what a retried turn took back. */
export interface ArtifactsTable {
  task_id: string
  artifact_id: string
  ordinal: number
  name: string | null
  description: string | null
  parts: number
  discarded: number
}

/** Primary key: (task_id, turn). */
export interface TurnsTable {
  task_id: string
  turn: number
  attempt: number
  failures: number
  /** The last attempt whose error has been counted. */
  failed_attempt: number
  batch: number
  scheduling: string
  scheduling_attempt: number
  outcome: string | null
  /** What a turn that ended `require-auth` asks for, as JSON. */
  auth_scheme: string | null
  opened_at: number
  ended_at: number | null
}

/** Primary key: (task_id, turn, artifact_id). What an artifact was before the turn: `existed` 0, or its first `parts` parts, or `replaced`, a JSON array of parts; with its name and description. */
export interface TurnArtifactsTable {
  task_id: string
  turn: number
  artifact_id: string
  existed: number
  parts: number
  replaced: string | null
  name: string | null
  description: string | null
}

/** Primary key: (task_id, config_id). `ordinal` is the order of registration, which a replacement keeps; `sealed` is never readable here. */
export interface PushConfigsTable {
  task_id: string
  config_id: string
  ordinal: number
  url: string
  scheme: string | null
  sealed: string | null
  wire_version: string
  created_at: number
}

/** Primary key: id, given by the database. Indexes: task_id; (agent, at). */
export interface AuditTable {
  id: Generated<number>
  at: number
  agent: string
  tenant: string
  subject: string
  participant: string
  task_id: string | null
  operation: string
  outcome: string
  position: number | null
  reason: string | null
}
