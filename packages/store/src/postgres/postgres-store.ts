import { sql } from 'kysely'
import type { ClientConfig } from 'pg'
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
import { claimDue } from '../wakes/claim-due.js'
import { countUnfinished } from '../wakes/count-unfinished.js'
import { ChangeSignals } from './change-signals.js'
import type { Connections } from './connections.js'
import { Deadline } from './deadline.js'
import type { PostgresStoreSettings } from './settings.js'
import type { Transactor, Write } from './transactor.js'

/** Who asks whether the database answers wants to know soon. */
const CHECK_MS = 2000

export class PostgresStore implements TaskStore {
  readonly id: string
  readonly tokenKey: Uint8Array
  readonly #settings: PostgresStoreSettings
  readonly #transactor: Transactor
  readonly #connections: Connections
  readonly #signals: ChangeSignals
  readonly #followed = new FollowedTasks({
    read: (taskId, after, size) => this.#readLog(taskId, after, size),
    listen: (taskId, waiter) => {
      // The first follower makes a connection, which nobody would close any more.
      this.#assertOpen()
      return this.#signals.listen(taskId, waiter)
    },
    isClosed: () => this.#closing !== undefined,
  })
  readonly #snapshots = new SharedReads<TaskSnapshot | undefined>()
  #closing: Promise<void> | undefined

  constructor(transactor: Transactor, connections: Connections, identity: Identity, settings: PostgresStoreSettings, client: ClientConfig) {
    this.id = identity.id
    this.tokenKey = identity.tokenKey
    this.#settings = settings
    this.#transactor = transactor
    this.#connections = connections
    const { random, acceptDeadlineMs: answerMs } = settings
    this.#signals = new ChangeSignals(transactor, { client, channel: `moorage_${identity.id}`, random, answerMs })
  }

  async transact<T>(
    taskIds: readonly string[],
    decide: (tx: TaskTransaction) => Promise<T>,
    { priority = 'accept' }: TransactOptions = {},
  ): Promise<T> {
    this.#assertOpen()
    const { wakeAfterMs } = this.#settings
    const { value, changes } = await this.#transactor.write(taskIds, priority, (db, now, changes) =>
      runTransaction({ db, now, changes, wakeAfterMs }, decide),
    )
    this.#signals.announce(changes)
    return value
  }

  async get(id: string, historyLength?: number): Promise<TaskSnapshot | undefined> {
    this.#assertOpen()
    return this.#snapshots.run(`${id}/${historyLength}`, (begin) =>
      this.#transactor.read((db) => {
        begin()
        return readSnapshot(db, id, historyLength)
      }),
    )
  }

  async record(id: string): Promise<TaskRecord | undefined> {
    this.#assertOpen()
    return this.#transactor.readOne((db) => readRecord(db, id))
  }

  async list(query: ListQuery, viewer: Principal): Promise<TaskPage> {
    this.#assertOpen()
    return this.#transactor.read(async (db) => {
      // Some viewers have a few tasks, some nearly all: one plan for everybody would be wrong for most.
      await sql`set local plan_cache_mode = force_custom_plan`.execute(db)
      return listTasks(db, query, viewer)
    })
  }

  async pushConfig(taskId: string, id: string): Promise<FoundPushConfig | undefined> {
    this.#assertOpen()
    return this.#transactor.read((db) => readPushConfig(db, taskId, id))
  }

  async pushConfigs(taskId: string, query: PushConfigQuery): Promise<PushConfigPage | undefined> {
    this.#assertOpen()
    return this.#transactor.read((db) => readPushConfigs(db, taskId, query))
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
    const { random, wakeAfterMs } = this.#settings
    const { value } = await this.#transactor.write([], 'append', (db, now) =>
      claimDue(db, { agents, limit, now, wakeAfterMs, random, skipLocked: true }),
    )
    return value
  }

  async countUnfinished(): Promise<ReadonlyMap<string, number>> {
    this.#assertOpen()
    return this.#transactor.readOne((db) => countUnfinished(db))
  }

  async removeTasks(agent: string, olderThanMs: number): Promise<Removal> {
    return removeTasks((taskIds, run) => this.#append(taskIds, run), agent, olderThanMs)
  }

  async removeAudit(agent: string, olderThanMs: number): Promise<Removal> {
    return this.#append([], (db, now) => removeAudit(db, agent, now - olderThanMs))
  }

  async recordHeartbeat(agent: string, worker: HeartbeatWorker): Promise<void> {
    this.#assertOpen()
    const measured = await this.#transactor.read((db) => measureAgent(db, agent))
    await this.#append([], (db, now) => writeHeartbeat(db, now, { agent, ...measured, worker }))
  }

  async readHeartbeat(agent: string): Promise<Heartbeat | undefined> {
    this.#assertOpen()
    return this.#transactor.readOne((db) => readHeartbeat(db, agent))
  }

  async check(): Promise<void> {
    this.#assertOpen()
    const deadline = new Deadline(Math.min(CHECK_MS, this.#settings.acceptDeadlineMs))
    await this.#transactor.ask(({ db }) => db.selectFrom('meta').select('name').limit(1).execute(), deadline)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #append<T>(taskIds: readonly string[], run: Write<T>): Promise<T> {
    this.#assertOpen()
    const { value, changes } = await this.#transactor.write(taskIds, 'append', run)
    this.#signals.announce(changes)
    return value
  }

  async #readLog(id: string, after: number, size: PageSize): Promise<readonly StoredEntry[] | undefined> {
    this.#assertOpen()
    return this.#transactor.readOne((db) => readLog(db, id, after, size))
  }

  async #close(): Promise<void> {
    this.#signals.announceAll()
    await this.#transactor.idle()
    await this.#signals.close()
    await this.#connections.close()
  }

  #assertOpen(): void {
    if (this.#closing) throw new StoreUnavailableError('The store is closed')
  }
}
