import type { Kysely } from 'kysely'
import type { AuditRow } from '../inbox-row.js'
import { readRecord } from '../read/read-record.js'
import type { Schema } from '../schema.js'
import type { TaskTransaction } from '../task-store.js'
import { acceptMessage, createTask, findReceipt } from './accept.js'
import { claimCommand, failCommand, replyToCommand } from './commands.js'
import { enter } from './finish.js'
import { openTurn } from './open-turn.js'
import { type Changes, loadTask, saveTask, type TaskRow, type TransactionContext } from './transaction-context.js'
import { countWaiting, markWake, postponeWake, settle } from './waiting.js'
import { appendBatch, endTurn, failTurn, recordStep } from './write-turn.js'

/**
 * The writes of a store over one open database transaction, the same for every database. The caller has locked the tasks, commits, and
 * then tells the followers of what is in `changes`.
 */
export function createTransaction(
  db: Kysely<Schema>,
  now: number,
  changes: Changes,
  options: { readonly wakeAfterMs: number },
): TaskTransaction {
  const context: TransactionContext = { db, now, changes, wakeAfterMs: options.wakeAfterMs }
  const known = async (id: string): Promise<TaskRow> => {
    const task = await loadTask(context, id)
    if (!task) throw new Error(`There is no task ${id}`)
    return task
  }
  return {
    now,
    task: (id) => readRecord(db, id),
    receipt: (key) => findReceipt(context, key),
    countWaiting: (id, kind) => countWaiting(context, id, kind),
    create: (task, first) => createTask(context, task, first),
    accept: async (id, row) => acceptMessage(context, await known(id), row),
    end: async (id, state, message) => endTask(context, await known(id), state, message),
    audit: (row) => addAudit(context, row),
    openTurn: async (id, scheduling) => openTurn(context, await loadTask(context, id), scheduling),
    append: async (id, fence, batch, writes) => appendBatch(context, await known(id), fence, batch, writes),
    recordStep: async (id, fence, name, value) => recordStep(context, await known(id), fence, name, value),
    endTurn: async (id, fence, outcome) => endTurn(context, await known(id), fence, outcome),
    failTurn: async (id, fence, maxAttempts, message) => failTurn(context, await known(id), fence, maxAttempts, message),
    claimCommand: async (id, scheduling) => claimCommand(context, await loadTask(context, id), scheduling),
    replyToCommand: async (id, position, claim, message) => replyToCommand(context, await known(id), position, claim, message),
    failCommand: async (id, position, claim, maxAttempts, message) =>
      failCommand(context, await known(id), position, claim, maxAttempts, message),
    settle: async (id) => settle(context, await loadTask(context, id)),
    postponeWake: (id) => postponeWake(context, id),
  }
}

/** Ends the task for whoever decides it outside a turn. The wake mark stays for the run that has to close. */
async function endTask(context: TransactionContext, task: TaskRow, ...[state, message]: EndArguments): Promise<number> {
  const seq = await enter(context, task, state, message)
  await markWake(context, task)
  await saveTask(context, task)
  return seq
}

type EndArguments = Parameters<TaskTransaction['end']> extends [string, ...infer Rest] ? Rest : never

async function addAudit({ db, now }: TransactionContext, row: AuditRow): Promise<void> {
  await db
    .insertInto('audit')
    .values({
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
    })
    .execute()
}
