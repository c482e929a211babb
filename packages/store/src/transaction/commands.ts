import { isTerminal, type MessageJson, type TaskState } from '@moorage/protocol'
import type { Selectable } from 'kysely'
import type { InboxTable } from '../schema.js'
import type { AppendOutcome, AppendResult, CommandOpening, Scheduling, TurnOutcome } from '../turn.js'
import { conclude } from './fence.js'
import { finish } from './finish.js'
import { logStatus } from './log.js'
import { sentBy } from './sent-by.js'
import type { TaskRow, TransactionContext } from './transaction-context.js'
import { advanceHandled, postponeWake, settle, waitingRows } from './waiting.js'

/** Claims the first command that waits; a later claim of it makes this one stale. */
export async function claimCommand(
  context: TransactionContext,
  task: TaskRow | undefined,
  scheduling: Scheduling,
): Promise<CommandOpening> {
  const remaining = await settle(context, task)
  const first = remaining.unhandled.find((row) => row.kind === 'command')
  if (!task || !first) return { kind: 'idle', ...remaining }
  const row = await loadRow(context, task, first.position)
  if (row.scheduling === scheduling.id && scheduling.attempt < row.scheduling_attempt) return { kind: 'stale', ...remaining }
  const claim = row.claim + 1
  await updateRow(context, row, { claim, scheduling: scheduling.id, scheduling_attempt: scheduling.attempt })
  await postponeWake(context, task.id)
  return {
    kind: 'claimed',
    position: row.position,
    claim,
    contextId: task.context_id,
    command: row.command ?? '',
    args: row.args === null ? '' : (JSON.parse(row.args) as string),
    ...sentBy(row),
    ...remaining,
  }
}

/**
 * Records a command's reply as the message of the status, whose state stays as it is. A task that has only ever had commands is parked:
 * there is nothing for it to do. The last command's reply is followed by the end that was held for it.
 */
export async function replyToCommand(
  context: TransactionContext,
  task: TaskRow,
  position: number,
  claim: number,
  message: MessageJson,
): Promise<AppendOutcome> {
  const row = await loadRow(context, task, position)
  const refused = checkClaim(task, row, claim)
  return refused ? conclude(context, task, refused) : answer(context, task, row, message)
}

async function answer(context: TransactionContext, task: TaskRow, row: InboxRow, message: MessageJson): Promise<AppendOutcome> {
  await updateRow(context, row, { handled: 1 })
  await advanceHandled(context, task)
  const waiting = await waitingRows(context, task.id)
  const idle = task.state === 'TASK_STATE_SUBMITTED' && waiting.every(({ kind }) => kind === 'command')
  const state = idle ? 'TASK_STATE_INPUT_REQUIRED' : (task.state as TaskState)
  logStatus(context, task, state, { message, metadata: { command: row.command }, replyTo: row.position })
  if (task.held !== null && waiting.length === 0) await finish(context, task, JSON.parse(task.held) as TurnOutcome)
  return conclude(context, task, 'appended')
}

/** Counts an error of a command's code, once for each claim; after the last one allowed, `message` is its reply. */
export async function failCommand(
  context: TransactionContext,
  task: TaskRow,
  position: number,
  claim: number,
  maxAttempts: number,
  message: MessageJson,
): Promise<AppendOutcome & { readonly retry: boolean }> {
  const row = await loadRow(context, task, position)
  const refused = checkClaim(task, row, claim)
  if (refused) return { ...(await conclude(context, task, refused)), retry: false }
  const counted = row.failed_claim === claim
  const failures = counted ? row.failures : row.failures + 1
  if (!counted) await updateRow(context, row, { failures, failed_claim: claim })
  if (failures >= maxAttempts) return { ...(await answer(context, task, row, message)), retry: false }
  return { ...(await conclude(context, task, counted ? 'duplicate' : 'appended')), retry: true }
}

type InboxRow = Selectable<InboxTable>

function checkClaim(task: TaskRow, row: InboxRow, claim: number): Exclude<AppendResult, 'appended'> | undefined {
  if (row.claim !== claim) return 'stale'
  if (isTerminal(task.state as TaskState)) return 'terminal'
  return row.handled === 1 ? 'duplicate' : undefined
}

async function loadRow({ db }: TransactionContext, task: TaskRow, position: number): Promise<InboxRow> {
  return db.selectFrom('inbox').selectAll().where('task_id', '=', task.id).where('position', '=', position).executeTakeFirstOrThrow()
}

async function updateRow(
  { db }: TransactionContext,
  row: InboxRow,
  changes: Partial<Pick<InboxRow, 'claim' | 'scheduling' | 'scheduling_attempt' | 'handled' | 'failures' | 'failed_claim'>>,
): Promise<void> {
  await db.updateTable('inbox').set(changes).where('task_id', '=', row.task_id).where('position', '=', row.position).execute()
}
