import type { Kysely } from 'kysely'
import type { AuditRow } from '../inbox-row.js'
import { readRecord, readRecords } from '../read/read-record.js'
import type { Schema } from '../schema.js'
import type { TaskTransaction } from '../task-store.js'
import type { AppendOutcome } from '../turn.js'
import { UnknownTaskError } from '../unknown-task-error.js'
import { acceptMessage, createTask, findReceipt } from './accept.js'
import { authorizeTask, readAuthorization } from './authorize.js'
import { claimCommand, failCommand, replyToCommand } from './commands.js'
import { reveal } from './direct.js'
import { enter } from './finish.js'
import { openTurn } from './open-turn.js'
import { deletePushConfig, pushConfigIds, putPushConfig } from './push-configs.js'
import { type Changes, flush, loadTask, saveTask, type TaskRow, type TransactionContext } from './transaction-context.js'
import { markWake, measureWaiting, postponeWake, settle } from './waiting.js'
import { appendBatch, endTurn, failTurn, recordStep } from './write-turn.js'

/** What a store gives to a transaction. */
export interface TransactionOptions {
  readonly db: Kysely<Schema>
  readonly now: number
  readonly changes: Changes
  readonly wakeAfterMs: number
}

const GONE: AppendOutcome = { result: 'terminal', unhandled: [], last: 0, terminal: true }

/**
 * Runs `decide` over one open database transaction, the same for every database. The caller has locked the tasks, commits, and then tells the
 * followers of what is in `changes`.
 */
export async function runTransaction<T>(options: TransactionOptions, decide: (tx: TaskTransaction) => Promise<T>): Promise<T> {
  const context: TransactionContext = { ...options, pending: [] }
  const value = await decide(createTransaction(context))
  await flush(context)
  return value
}

function createTransaction(context: TransactionContext): TaskTransaction {
  /** Before anything is read, what was to be written is. */
  const read = async <T>(reading: () => Promise<T>): Promise<T> => {
    await flush(context)
    return reading()
  }
  const find = (id: string): Promise<TaskRow | undefined> => read(() => loadTask(context, id))
  const known = async (id: string): Promise<TaskRow> => {
    const task = await find(id)
    if (!task) throw new UnknownTaskError(id)
    return task
  }
  /** What runs for a task that has been removed meanwhile is told what it would be told of one that has ended. */
  const within = async <T>(id: string, gone: T, write: (task: TaskRow) => Promise<T>): Promise<T> => {
    const task = await find(id)
    return task ? write(task) : gone
  }
  return {
    now: context.now,
    task: (id) => read(() => readRecord(context.db, id)),
    tasks: (ids) => read(() => readRecords(context.db, ids)),
    receipt: (key) => read(() => findReceipt(context, key)),
    measureWaiting: (id, kind) => read(() => measureWaiting(context, id, kind)),
    create: async (task, first) => createTask(context, task, first),
    accept: async (id, row) => acceptMessage(context, await known(id), row),
    authorization: async (id) => readAuthorization(context, await find(id)),
    authorize: async (id, authorization) => authorizeTask(context, await known(id), authorization),
    end: async (id, state, message) => endTask(context, await known(id), state, message),
    reveal: async (id) => revealTask(context, await known(id)),
    audit: async (row) => addAudit(context, row),
    pushConfigIds: (id) => read(() => pushConfigIds(context, id)),
    putPushConfig: async (id, config) => putPushConfig(context, id, config),
    deletePushConfig: async (id, configId) => deletePushConfig(context, id, configId),
    openTurn: async (id, scheduling) => openTurn(context, await find(id), scheduling),
    append: (id, fence, batch, writes) => within(id, GONE, (task) => appendBatch(context, task, fence, batch, writes)),
    recordStep: (id, fence, name, value) => within(id, GONE, (task) => recordStep(context, task, fence, name, value)),
    endTurn: (id, fence, outcome) => within(id, GONE, (task) => endTurn(context, task, fence, outcome)),
    failTurn: (id, fence, maxAttempts, message) =>
      within(id, { ...GONE, retry: false }, (task) => failTurn(context, task, fence, maxAttempts, message)),
    claimCommand: async (id, scheduling) => claimCommand(context, await find(id), scheduling),
    replyToCommand: (id, position, claim, message) => within(id, GONE, (task) => replyToCommand(context, task, position, claim, message)),
    failCommand: (id, position, claim, maxAttempts, message) =>
      within(id, { ...GONE, retry: false }, (task) => failCommand(context, task, position, claim, maxAttempts, message)),
    settle: async (id) => settle(context, await find(id)),
    postponeWake: (id) => read(() => postponeWake(context, id)),
  }
}

/** Ends the task for whoever decides it outside a turn. The wake mark stays for the run that has to close. */
async function endTask(context: TransactionContext, task: TaskRow, ...[state, message]: EndArguments): Promise<void> {
  await enter(context, task, state, message)
  markWake(context, task)
  saveTask(context, task)
}

function revealTask(context: TransactionContext, task: TaskRow): void {
  reveal(context, task)
  saveTask(context, task)
}

type EndArguments = Parameters<TaskTransaction['end']> extends [string, ...infer Rest] ? Rest : never

function addAudit({ db, now, pending }: TransactionContext, row: AuditRow): void {
  const columns = {
    at: now,
    agent: row.agent,
    tenant: row.principal.tenant,
    subject: row.principal.subject,
    participant: row.principal.participant,
    task_id: row.taskId ?? null,
    operation: row.operation,
    outcome: row.outcome,
    position: row.position ?? null,
    reason: row.reason ?? null,
  }
  pending.push(() => db.insertInto('audit').values(columns).execute())
}
