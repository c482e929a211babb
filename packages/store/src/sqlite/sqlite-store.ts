import type { Kysely } from 'kysely'
import { FollowedTasks } from '../follow/followed-tasks.js'
import type { Heartbeat, HeartbeatWorker } from '../heartbeat/heartbeat.js'
import { readHeartbeat, writeHeartbeat } from '../heartbeat/keep-heartbeat.js'
import { measureAgent } from '../heartbeat/measure-agent.js'
import type { Identity } from '../identity.js'
import type { LogEntry } from '../log-entry.js'
import type { Principal } from '../principal.js'
import type { FoundPushConfig, PushConfigPage, PushConfigQuery } from '../push-config.js'
import { listTasks } from '../read/list-tasks.js'
import { type PageSize, readLog } from '../read/read-log.js'
import { readPushConfig, readPushConfigs } from '../read/read-push-configs.js'
import { readRecord } from '../read/read-record.js'
import { readSnapshot } from '../read/read-snapshot.js'
import { SharedReads } from '../read/shared-reads.js'
import type { StoredEntry } from '../read/stored-entry.js'
import { removeAudit } from '../retention/remove-audit.js'
import { removeTasks } from '../retention/remove-tasks.js'
import type { Schema } from '../schema.js'
import { StoreUnavailableError } from '../store-error.js'
import type {
  DueTask,
  FollowCut,
  ListQuery,
  Removal,
  TaskPage,
  TaskRecord,
  TaskSnapshot,
  TaskStore,
  TaskTransaction,
  TransactOptions,
} from '../task-store.js'
import { runTransaction } from '../transaction/run-transaction.js'
import type { Changes } from '../transaction/transaction-context.js'
import { claimDue, hasDue, type Sweep } from '../wakes/claim-due.js'
import { countUnfinished } from '../wakes/count-unfinished.js'
import { ChangeWatch } from './change-watch.js'
import type { Connection } from './connection.js'
import { Reader } from './reader.js'
import type { SqliteStoreSettings } from './settings.js'
import { Writer } from './writer.js'

export class SqliteStore implements TaskStore {
  readonly id: string
  readonly tokenKey: Uint8Array
  readonly #settings: SqliteStoreSettings
  readonly #connections: readonly Connection[]
  readonly #writer: Writer
  readonly #reader: Reader
  readonly #watch: ChangeWatch
  readonly #followed = new FollowedTasks({
    read: (taskId, after, size) => this.#readLog(taskId, after, size),
    listen: (taskId, waiter) => this.#watch.listen(taskId, waiter),
    isClosed: () => this.#closing !== undefined,
  })
  readonly #snapshots = new SharedReads<TaskSnapshot | undefined>()
  #closing: Promise<void> | undefined

  constructor(writing: Connection, reading: Connection, identity: Identity, settings: SqliteStoreSettings) {
    this.id = identity.id
    this.tokenKey = identity.tokenKey
    this.#settings = settings
    this.#connections = [reading, writing]
    const retry = { deadlineMs: settings.acceptDeadlineMs, random: settings.random }
    this.#reader = new Reader(reading, retry)
    this.#watch = new ChangeWatch(writing.raw, this.#reader)
    this.#writer = new Writer(writing, { ...retry, onCommit: (changes) => this.#watch.announce(changes) })
  }

  /** SQLite has one lock, and the transaction has it: the tasks need not be named. */
  async transact<T>(
    _taskIds: readonly string[],
    decide: (tx: TaskTransaction) => Promise<T>,
    { priority = 'accept' }: TransactOptions = {},
  ): Promise<T> {
    this.#assertOpen()
    const { now, wakeAfterMs } = this.#settings
    return this.#writer.write(priority, (db, changes) => runTransaction({ db, now: now(), changes, wakeAfterMs }, decide))
  }

  async get(id: string, historyLength?: number): Promise<TaskSnapshot | undefined> {
    this.#assertOpen()
    return this.#snapshots.run(`${id}/${historyLength}`, (begin) =>
      this.#reader.read((db) => {
        begin()
        return readSnapshot(db, id, historyLength)
      }),
    )
  }

  async record(id: string): Promise<TaskRecord | undefined> {
    this.#assertOpen()
    return this.#reader.read((db) => readRecord(db, id))
  }

  async list(query: ListQuery, viewer: Principal): Promise<TaskPage> {
    this.#assertOpen()
    return this.#reader.read((db) => listTasks(db, query, viewer))
  }

  async pushConfig(taskId: string, id: string): Promise<FoundPushConfig | undefined> {
    this.#assertOpen()
    return this.#reader.read((db) => readPushConfig(db, taskId, id))
  }

  async pushConfigs(taskId: string, query: PushConfigQuery): Promise<PushConfigPage | undefined> {
    this.#assertOpen()
    return this.#reader.read((db) => readPushConfigs(db, taskId, query))
  }

  async read(id: string, after: number, limit: number): Promise<readonly LogEntry[]> {
    return (await this.#readLog(id, after, { entries: limit }))?.map(({ entry }) => entry) ?? []
  }

  follow(id: string, after: number, signal: AbortSignal, cut?: FollowCut): AsyncIterable<LogEntry> {
    return this.#followed.follow(id, after, signal, cut)
  }

  async claimDue(agents: readonly string[], limit: number): Promise<readonly DueTask[]> {
    this.#assertOpen()
    if (agents.length === 0 || limit <= 0) return []
    const { now, random, wakeAfterMs } = this.#settings
    const sweep = (): Sweep => ({ agents, limit, now: now(), wakeAfterMs, random })
    if (!(await this.#reader.read((db) => hasDue(db, sweep())))) return []
    this.#assertOpen()
    return this.#writer.write('append', (db) => claimDue(db, sweep()))
  }

  async countUnfinished(): Promise<ReadonlyMap<string, number>> {
    this.#assertOpen()
    return this.#reader.read((db) => countUnfinished(db))
  }

  async removeTasks(agent: string, olderThanMs: number): Promise<Removal> {
    return removeTasks((_, run) => this.#append(run), agent, olderThanMs)
  }

  async removeAudit(agent: string, olderThanMs: number): Promise<Removal> {
    return this.#append((db, now) => removeAudit(db, agent, now - olderThanMs))
  }

  async recordHeartbeat(agent: string, worker: HeartbeatWorker): Promise<void> {
    this.#assertOpen()
    const measured = await this.#reader.read((db) => measureAgent(db, agent))
    await this.#append((db, now) => writeHeartbeat(db, now, { agent, ...measured, worker }))
  }

  async readHeartbeat(agent: string): Promise<Heartbeat | undefined> {
    this.#assertOpen()
    return this.#reader.read((db) => readHeartbeat(db, agent))
  }

  async check(): Promise<void> {
    this.#assertOpen()
    await this.#reader.read((db) => db.selectFrom('meta').select('name').limit(1).execute())
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #append<T>(run: (db: Kysely<Schema>, now: number, changes: Changes) => Promise<T>): Promise<T> {
    this.#assertOpen()
    return this.#writer.write('append', (db, changes) => run(db, this.#settings.now(), changes))
  }

  async #readLog(id: string, after: number, size: PageSize): Promise<readonly StoredEntry[] | undefined> {
    this.#assertOpen()
    return this.#reader.read((db) => readLog(db, id, after, size))
  }

  async #close(): Promise<void> {
    this.#watch.announceAll()
    await this.#writer.idle()
    await this.#reader.idle()
    for (const { raw } of this.#connections) raw.close()
  }

  #assertOpen(): void {
    if (this.#closing) throw new StoreUnavailableError('The store is closed')
  }
}
