import type { Json, JsonObject, MessageJson, TaskJson, TaskState } from '@moorage/protocol'
import type { Heartbeat, HeartbeatWorker } from './heartbeat/heartbeat.js'
import type {
  AuditRow,
  AuthorizationState,
  InboxKind,
  NewAuthorization,
  NewInboxRow,
  Receipt,
  StoredReceipt,
  Waiting,
  WaitingSize,
} from './inbox-row.js'
import type { LogEntry } from './log-entry.js'
import type { Participation, Principal } from './principal.js'
import type { FoundPushConfig, PushConfigPage, PushConfigQuery, PushConfigRecord } from './push-config.js'
import type {
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

/** A task as a transaction or a reader needs it to decide, without its content. */
export interface TaskRecord {
  readonly id: string
  readonly agent: string
  readonly tenant: string
  readonly contextId: string
  readonly state: TaskState
  /** The last sequence number of the log. */
  readonly seq: number
  /** The last position given to a message. */
  readonly position: number
  readonly handled: number
  /** Nobody, while the task is `direct`. */
  readonly participants: readonly Participation[]
  /** `pending`: the first message may be answered by a Message; `answered`: it was, by the message of the status. Undefined: a task like any other. */
  readonly direct?: 'pending' | 'answered'
}

/** A task and its content at one moment: the fold of the log up to `record.seq`. `task` has its artifacts and its history. */
export interface TaskSnapshot {
  readonly record: TaskRecord
  readonly task: TaskJson
}

/** A task that its first message makes. */
export interface NewTask {
  readonly id: string
  readonly agent: string
  readonly tenant: string
  readonly contextId: string
  readonly participants: readonly Participation[]
  readonly metadata?: JsonObject
  /**
   * Whether a Message may answer the first message, whose sender waits for it and takes one. Then the task has no participants, and so exists for
   * nobody, until it is revealed: by another end of its first turn than `reply`, by a further message, or by `reveal`.
   */
  readonly direct?: boolean
}

/** Everything one transaction may read and write. The tasks named to `transact` are locked until it ends. */
export interface TaskTransaction {
  /** The time of the transaction, in milliseconds since the epoch. */
  readonly now: number
  task(id: string): Promise<TaskRecord | undefined>
  /** Those of the tasks that there are, by id: to look at, since they need not be locked. */
  tasks(ids: readonly string[]): Promise<ReadonlyMap<string, TaskRecord>>
  /** The receipt of the message with this key, if it was accepted before. */
  receipt(key: string): Promise<StoredReceipt | undefined>
  /** How much of the kind waits: neither handled nor taken by a turn. */
  measureWaiting(id: string, kind: InboxKind): Promise<WaitingSize>
  /** Records a new task with its first message: entry 1 of its log is the Task. */
  create(task: NewTask, first: NewInboxRow): Promise<Receipt>
  /** Records a further message: its row, its place in the history, a log entry and the wake mark. A parked task becomes WORKING if the message runs a turn. */
  accept(id: string, row: NewInboxRow): Promise<Receipt>
  /** Whether the task waits for an authorisation, and the last one that it got; undefined where there is no such task. */
  authorization(id: string): Promise<AuthorizationState | undefined>
  /** Records the authorisation that a task asks for: its row, WORKING and the wake mark. It runs a turn. To be called for a task that is AUTH_REQUIRED. */
  authorize(id: string, authorization: NewAuthorization): Promise<Receipt>
  /** Ends the task: handles every row and raises the fence. */
  end(id: string, state: 'TASK_STATE_CANCELED' | 'TASK_STATE_FAILED', message?: MessageJson): Promise<void>
  /** Gives a `direct` task its participants, since the Task will be its first message's answer. Nothing happens where a Message was. */
  reveal(id: string): Promise<void>
  audit(row: AuditRow): Promise<void>

  /** The ids of the task's push notification configs, in the order in which they were registered. */
  pushConfigIds(id: string): Promise<readonly string[]>
  /** Keeps a push notification config of the task, in the place of the one that has its id. The task may be one that this transaction makes. */
  putPushConfig(id: string, config: PushConfigRecord): Promise<void>
  deletePushConfig(id: string, configId: string): Promise<void>

  /** Opens a turn over the unhandled messages, as many as a process can well hold (4 MiB), or resumes the open one as the next attempt. */
  openTurn(id: string, scheduling: Scheduling): Promise<TurnOpening>
  /** Writes a batch of a turn; the same number again writes nothing. Batches are numbered from `TurnOpening.batch + 1`. */
  append(id: string, fence: Fence, batch: number, writes: readonly TurnWrite[]): Promise<{ readonly result: AppendResult }>
  /** Records what a step returned, so that no later attempt at the turn runs it again. */
  recordStep(id: string, fence: Fence, name: string, value: Json): Promise<{ readonly result: AppendResult }>
  endTurn(id: string, fence: Fence, outcome: TurnOutcome): Promise<AppendOutcome>
  /** Counts an error of the agent's code, once for each fence; from the `maxAttempts`-th on, the task fails with `message`. `retry` says whether to run the turn again. */
  failTurn(id: string, fence: Fence, maxAttempts: number, message: MessageJson): Promise<AppendOutcome & { readonly retry: boolean }>

  /** Claims the first unhandled command of the task. A later claim of the same command makes this one stale. */
  claimCommand(id: string, scheduling: Scheduling): Promise<CommandOpening>
  replyToCommand(id: string, position: number, claim: number, message: MessageJson): Promise<AppendOutcome>
  /** As `failTurn`; after the last error allowed, `message` is the command's reply. */
  failCommand(
    id: string,
    position: number,
    claim: number,
    maxAttempts: number,
    message: MessageJson,
  ): Promise<AppendOutcome & { readonly retry: boolean }>

  /** What is left to do; clears the wake mark of a task where nothing is. */
  settle(id: string): Promise<Remaining>
  /** Puts off the next wake of a task that is being worked on. */
  postponeWake(id: string): Promise<void>
}

/** A page of the tasks that a viewer may see (A2A §3.1.4). */
export interface ListQuery {
  readonly agent: string
  readonly contextId?: string
  readonly state?: TaskState
  /** Only tasks whose status is of this moment or later, in milliseconds since the epoch. */
  readonly statusSince?: number
  readonly pageSize: number
  /** Where the page before ended. */
  readonly after?: ListCursor
  /** How many messages of each history, the most recent ones; undefined: all. */
  readonly historyLength?: number
  readonly includeArtifacts: boolean
}

/** The place of a task in the order of ListTasks: by status timestamp, newest first, then by id. */
export interface ListCursor {
  readonly statusAt: number
  readonly id: string
}

/** One page of ListTasks, in its order; `totalSize` counts all pages. */
export interface TaskPage {
  readonly tasks: readonly TaskJson[]
  readonly totalSize: number
  /** Absent on the last page. */
  readonly next?: ListCursor
}

/** What a sweep found due. */
export interface DueTask {
  readonly taskId: string
  readonly agent: string
  readonly unhandled: readonly Waiting[]
}

/** What one batch has removed; `more`: there is probably more to remove. */
export interface Removal {
  readonly removed: number
  readonly more: boolean
}

/**
 * What is remembered. Every method throws `StoreUnavailableError` when the database cannot be reached or stays busy beyond its deadline;
 * then nothing was written, or (a lost connection) the caller repeats and the key, batch, claim or fence makes the repetition harmless.
 */
export interface TaskStore {
  /** Made by the first migration: names this database in Task Queues and workflow ids. */
  readonly id: string
  /** Runs `decide` in one transaction over the tasks, locked in sorted order. `decide` does no I/O but `tx` and may run again after a conflict. */
  transact<T>(taskIds: readonly string[], decide: (tx: TaskTransaction) => Promise<T>, options?: TransactOptions): Promise<T>
  /** @param historyLength how many messages of the history, the most recent ones; undefined: all */
  get(id: string, historyLength?: number): Promise<TaskSnapshot | undefined>
  /** The task without its content: cheap however long it is. */
  record(id: string): Promise<TaskRecord | undefined>
  list(query: ListQuery, viewer: Principal): Promise<TaskPage>
  /** A push notification config of the task; undefined where there is no such task. */
  pushConfig(taskId: string, id: string): Promise<FoundPushConfig | undefined>
  /** Those of the task, in the order in which they were registered; undefined where there is no such task. */
  pushConfigs(taskId: string, query: PushConfigQuery): Promise<PushConfigPage | undefined>
  read(id: string, after: number, limit: number): Promise<readonly LogEntry[]>
  /**
   * The entries after `after`, then each new one as it is written, until `signal` is aborted (then it ends without an error). Only the first read
   * throws where the database is away: a follower that has begun waits until it is back. Each new entry is read once in a process, however many
   * follow the task, and nobody is waited for: one that leaves 1,000 entries or 4 MiB of them untaken reads on for itself, at its own pace, until it
   * has caught up; so it does with what was written before it began. Abort the signal, or return from the iterator, to let go of it.
   * @param cut ends a follower that then takes nothing; without it, it may come back whenever it likes
   * @throws UnknownTaskError where there is no such task, also one that is removed while it is followed
   * @throws SlowFollowerError where it was cut: it says after which entry to go on
   */
  follow(id: string, after: number, signal: AbortSignal, cut?: FollowCut): AsyncIterable<LogEntry>
  /** A secret made by the first migration, for signing page tokens: 32 bytes. */
  readonly tokenKey: Uint8Array
  /** Claims tasks of these agents whose wake is due, at most `limit`, by moving their next wake. */
  claimDue(agents: readonly string[], limit: number): Promise<readonly DueTask[]>
  /** How many open tasks of each agent have work left, by the agent's id: what nobody does for an agent that no process runs any more. */
  countUnfinished(): Promise<ReadonlyMap<string, number>>
  /**
   * Removes tasks of the agent that ended at least so long ago by the database's clock, with everything that belongs to them but their audit: one
   * batch, in short transactions that give way to those of kind `accept`. Open tasks, and tasks with a wake mark, stay. To everybody else a task
   * is there as a whole, or not at all.
   */
  removeTasks(agent: string, olderThanMs: number): Promise<Removal>
  /** Removes audit rows of the agent that are at least so old: one batch, in one transaction. */
  removeAudit(agent: string, olderThanMs: number): Promise<Removal>
  /** Counts the agent's tasks and keeps that as its heartbeat, in place of the last one. */
  recordHeartbeat(agent: string, worker: HeartbeatWorker): Promise<void>
  /** The agent's last heartbeat, if there has been one. */
  readHeartbeat(agent: string): Promise<Heartbeat | undefined>
  /** Throws unless the database answers. */
  check(): Promise<void>
  close(): Promise<void>
}

/** When a follower has been too slow. */
export interface FollowCut {
  /** How many milliseconds it may take nothing while it reads at its own pace what is in the log. */
  readonly afterMs: number
  /** Called at the moment of the cut, since who does not take cannot be told by `next`. */
  readonly onCut: () => void
}

/** How a transaction takes its place among those that wait to write. */
export interface TransactOptions {
  /** `accept` goes before `append` where transactions queue. @default 'accept' */
  readonly priority?: 'accept' | 'append'
}
