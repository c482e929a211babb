/**
 * What is remembered: the event log, the task projection and the inbox rows. The databases are subpaths.
 * @module
 */
export type { AuditEntry, AuditReader } from './audit/audit-reader.js'
export type { Heartbeat, HeartbeatWorker } from './heartbeat/heartbeat.js'
export type {
  AuditRow,
  Authorization,
  AuthorizationState,
  InboxKind,
  NewAuthorization,
  NewInboxRow,
  Receipt,
  ReceivedMessage,
  StoredReceipt,
  Waiting,
  WaitingSize,
} from './inbox-row.js'
export { type InternalEntry, isPublic, type LogEntry } from './log-entry.js'
export { ANONYMOUS, type ParticipantRole, type Participation, type Principal, type Sender } from './principal.js'
export type { FoundPushConfig, PushConfigPage, PushConfigQuery, PushConfigRecord } from './push-config.js'
export { SlowFollowerError } from './slow-follower-error.js'
export { StoreUnavailableError } from './store-error.js'
export type {
  DueTask,
  FollowCut,
  ListCursor,
  ListQuery,
  NewTask,
  Removal,
  TaskPage,
  TaskRecord,
  TaskSnapshot,
  TaskStore,
  TaskTransaction,
  TransactOptions,
} from './task-store.js'
export type {
  AppendOutcome,
  AppendResult,
  CommandOpening,
  Fence,
  Remaining,
  Scheduling,
  TurnOpening,
  TurnOutcome,
  TurnWrite,
} from './turn.js'
export { UnknownTaskError } from './unknown-task-error.js'
