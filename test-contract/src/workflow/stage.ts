/**
 * A real store, a real worker and the run's engine, for tests of the durable task.
 * @module
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@moorage/agent'
import { cancel, receive } from '@moorage/inbox/receive'
import { isTerminal, type PartJson, type TaskJson } from '@moorage/protocol'
import { ANONYMOUS, type LogEntry, type Receipt, type TaskStore } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import { createWaker, type TaskWaker, type TemporalOptions } from '@moorage/workflow/client'
import { type ExecutionPolicy, taskWorkflowId } from '@moorage/workflow/contract'
import { createWorker, type TaskWorker, type WorkerOptions } from '@moorage/workflow/worker'
import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import { expect, inject, test, vi } from 'vitest'
import { PATIENCE_MS } from '../patience.js'
import { type History, recordHistory } from './history.js'

/** Opens a handle on the stage's database, as each process has one of its own. `dir` is the stage's folder. */
export type StoreOpener = (
  dir: string,
  options: { readonly wakeAfterMs?: number; readonly acceptDeadlineMs?: number },
) => Promise<TaskStore>

const openSqlite: StoreOpener = (dir, options) => openSqliteStore({ path: databaseIn(dir), acceptDeadlineMs: PATIENCE_MS, ...options })

export interface StageOptions {
  readonly policy?: Partial<ExecutionPolicy>
  /** @default the engine of the run */
  readonly address?: string
  /** What else is said of Temporal. */
  readonly temporal?: Partial<TemporalOptions>
  /** @default a SQLite file in the stage's folder */
  readonly openStore?: StoreOpener
  readonly wakeAfterMs?: number
  /** Whether to start a worker. @default true */
  readonly worker?: boolean
}

interface SendOptions {
  readonly taskId?: string
  /** Whether the process that accepts the message wakes the task. @default true */
  readonly wake?: boolean
}

/** One agent with its store, waker and worker. */
export interface Stage {
  readonly path: string
  readonly store: TaskStore
  readonly waker: TaskWaker
  readonly temporal: TemporalOptions
  readonly client: Client
  /** Another handle on the same database, closed after the test. */
  openStore(options?: { readonly wakeAfterMs?: number }): Promise<TaskStore>
  send(content: string | readonly PartJson[], options?: SendOptions): Promise<Receipt>
  cancel(taskId: string): Promise<void>
  /** The first entry of the task's log that fits. */
  until(taskId: string, fits: (entry: LogEntry) => boolean): Promise<LogEntry>
  /** The task once it has ended. */
  ended(taskId: string): Promise<TaskJson>
  /** The task once it waits for its client and the messages up to this position are handled. */
  parked(taskId: string, position: number): Promise<TaskJson>
  run(taskId: string): WorkflowHandle
  /** The Event History of the task's run, once it is closed. With a name, it is kept where `UPDATE_CONTRACT` says so. */
  history(taskId: string, name?: string): Promise<History>
  /** Resolves when the worker takes work. */
  startWorker(options?: Partial<WorkerOptions>): Promise<TaskWorker>
}

/** `open` starts an agent; all that it started is stopped after the test. */
export const stageTest = test.extend('open', async ({ task: _ }, { onCleanup }) => {
  const closings: (() => Promise<void>)[] = []
  onCleanup(async () => {
    for (const close of closings.reverse()) await close()
  })
  return async (agent: Agent, options: StageOptions = {}): Promise<Stage> => {
    const dir = await mkdtemp(join(tmpdir(), 'moorage-stage-'))
    closings.push(() => rm(dir, { recursive: true, force: true }))
    return openStage(agent, options, dir, (close) => closings.push(close))
  }
})

async function openStage(agent: Agent, options: StageOptions, dir: string, onClose: (close: () => Promise<void>) => void): Promise<Stage> {
  const { policy = {}, openStore: opener = openSqlite, wakeAfterMs } = options
  const temporal: TemporalOptions = { address: options.address ?? inject('engine'), ...options.temporal }
  const openStore: Stage['openStore'] = async (more = wakeAfterMs === undefined ? {} : { wakeAfterMs }) => {
    const opened = await opener(dir, more)
    onClose(() => opened.close())
    return opened
  }
  const store = await openStore()
  const client = openClient(temporal, onClose)
  const waker = createWaker({ temporal, storeId: store.id, policy })
  onClose(() => waker.close())
  const startWorker: Stage['startWorker'] = async (more = {}) => {
    const worker = createWorker({ temporal, store, agents: [agent], policy, waker, shutdownGraceMs: 0, ...more })
    worker.start()
    onClose(() => worker.stop())
    await untilConnected(worker)
    return worker
  }
  if (options.worker !== false) await startWorker()
  const run = (taskId: string) => client.workflow.getHandle(taskWorkflowId(store.id, agent.id, taskId))
  const parts = { path: databaseIn(dir), store, waker, temporal, client, openStore, startWorker, run }
  return { ...parts, ...reads(store), ...writes(agent, store, waker), ...histories(run) }
}

async function untilConnected(worker: TaskWorker): Promise<void> {
  await vi.waitFor(() => expect(worker.status()).toMatchObject({ connected: true }), { timeout: PATIENCE_MS, interval: 20 })
}

function databaseIn(dir: string): string {
  return join(dir, 'store.db')
}

function openClient({ address, namespace }: TemporalOptions, onClose: (close: () => Promise<void>) => void): Client {
  const connection = Connection.lazy({ address })
  onClose(() => connection.close())
  return new Client({ connection, ...(namespace !== undefined && { namespace }) })
}

function writes(agent: Agent, store: TaskStore, waker: TaskWaker): Pick<Stage, 'send' | 'cancel'> {
  const commands = new Set(Object.keys(agent.commands))
  return {
    async send(content, { taskId, wake = true } = {}) {
      const parts = typeof content === 'string' ? [{ text: content }] : content
      const message = { messageId: randomUUID(), role: 'ROLE_USER', parts, ...(taskId !== undefined && { taskId }) } as const
      const reception = await receive(store, { agent: agent.id, commands }, ANONYMOUS, message)
      if (reception.result === 'refused') throw new Error(`refused: ${reception.reason}`)
      const { receipt, kind } = reception
      if (wake) waker.wake(agent.id, receipt.taskId, [{ position: receipt.position, kind }])
      return receipt
    },
    async cancel(taskId) {
      const cancellation = await cancel(store, agent.id, ANONYMOUS, taskId)
      if (cancellation.result === 'refused') throw new Error(`refused: ${cancellation.reason}`)
      waker.wake(agent.id, taskId, [])
    },
  }
}

function reads(store: TaskStore): Pick<Stage, 'until' | 'ended' | 'parked'> {
  const until: Stage['until'] = async (taskId, fits) => {
    for await (const entry of store.follow(taskId, 0, AbortSignal.timeout(PATIENCE_MS))) if (fits(entry)) return entry
    const log = (await store.read(taskId, 0, 100)).map((entry) => JSON.stringify(entry))
    throw new Error(`No such entry came. The log of the task:\n${log.join('\n')}`)
  }
  const load = async (taskId: string): Promise<TaskJson> => {
    const snapshot = await store.get(taskId)
    if (!snapshot) throw new Error('no such task')
    return snapshot.task
  }
  return {
    until,
    async ended(taskId) {
      await until(taskId, (entry) => isTerminal(entry.state))
      return load(taskId)
    },
    async parked(taskId, position) {
      await until(taskId, (entry) => entry.state === 'TASK_STATE_INPUT_REQUIRED' && entry.handled >= position)
      return load(taskId)
    },
  }
}

function histories(run: Stage['run']): Pick<Stage, 'history'> {
  return {
    async history(taskId, name) {
      const handle = run(taskId)
      await handle.result()
      const history = await handle.fetchHistory()
      if (name !== undefined) await recordHistory(name, history)
      return history
    },
  }
}

/** The text of a task's status message. */
export function saying(task: TaskJson): string {
  return (task.status.message?.parts ?? []).flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
}

/** Whether an entry is a status with this text. */
export function says(text: string): (entry: LogEntry) => boolean {
  return ({ payload }) =>
    'statusUpdate' in payload && (payload.statusUpdate.status.message?.parts ?? []).some((part) => 'text' in part && part.text === text)
}
