import type { Json, MessageJson } from '@moorage/protocol'
import type { AppendOutcome, AppendResult, Fence, TurnOutcome, TurnWrite } from '../turn.js'
import { checkFence, conclude, loadTurn } from './fence.js'
import { enter, finish } from './finish.js'
import { logEntry, logStatus } from './log.js'
import { saveTask, type TaskRow, type TransactionContext } from './transaction-context.js'
import { advanceHandled, waitingRows } from './waiting.js'
import { writeArtifact } from './write-artifact.js'

/** What became of a write that leaves the turn open. */
export interface WriteOutcome {
  readonly result: AppendResult
}

/** Writes a batch of a turn's chunks and statuses, once. */
export async function appendBatch(
  context: TransactionContext,
  task: TaskRow,
  fence: Fence,
  batch: number,
  writes: readonly TurnWrite[],
): Promise<WriteOutcome> {
  const turn = await loadTurn(context, task)
  const state = checkFence(task, turn, fence)
  if (turn && batch <= turn.batch && (state === 'open' || state === 'ended')) return { result: 'duplicate' }
  if (state !== 'open') return { result: state === 'ended' ? 'stale' : state }
  for (const write of writes) {
    if (write.kind === 'artifact') await writeArtifact(context, task, write)
    else logStatus(context, task, 'TASK_STATE_WORKING', { message: write.message })
  }
  updateTurn(context, task, { batch })
  saveTask(context, task)
  return { result: 'appended' }
}

export async function recordStep(
  context: TransactionContext,
  task: TaskRow,
  fence: Fence,
  name: string,
  value: Json,
): Promise<WriteOutcome> {
  const state = checkFence(task, await loadTurn(context, task), fence)
  if (state !== 'open') return { result: state === 'ended' ? 'stale' : state }
  const inserted = await context.db
    .insertInto('steps')
    .values({ task_id: task.id, turn: task.turn, name, value: JSON.stringify(value), at: context.now })
    .onConflict((conflict) => conflict.columns(['task_id', 'turn', 'name']).doNothing())
    .executeTakeFirst()
  return { result: inserted.numInsertedOrUpdatedRows ? 'appended' : 'duplicate' }
}

/**
 * Ends a turn. Messages that came meanwhile postpone the end: what it says becomes a WORKING status and they get the next turn. Where only
 * commands wait, the end is held for the transaction that handles the last of them.
 */
export async function endTurn(context: TransactionContext, task: TaskRow, fence: Fence, outcome: TurnOutcome): Promise<AppendOutcome> {
  const state = checkFence(task, await loadTurn(context, task), fence)
  if (state !== 'open') return conclude(context, task, state === 'ended' ? 'duplicate' : state)
  await closeTurn(context, task, outcome)
  await advanceHandled(context, task)
  const waiting = await waitingRows(context, task.id)
  if (waiting.length === 0) {
    await finish(context, task, outcome)
  } else if (waiting.every((row) => row.kind === 'command')) {
    task.held = JSON.stringify(outcome)
    logEntry(context, task, { internal: { kind: 'handled' } })
  } else if (outcome.message) {
    logStatus(context, task, 'TASK_STATE_WORKING', { message: outcome.message })
  } else {
    logEntry(context, task, { internal: { kind: 'handled' } })
  }
  return conclude(context, task, 'appended')
}

/** Counts an error of the agent's code, once for each attempt; the last one allowed fails the task, whatever waits. */
export async function failTurn(
  context: TransactionContext,
  task: TaskRow,
  fence: Fence,
  maxAttempts: number,
  message: MessageJson,
): Promise<AppendOutcome & { readonly retry: boolean }> {
  const turn = await loadTurn(context, task)
  if (!turn) return { ...(await conclude(context, task, 'stale')), retry: false }
  const state = checkFence(task, turn, fence)
  if (state !== 'open') return { ...(await conclude(context, task, state === 'ended' ? 'duplicate' : state)), retry: false }
  const counted = turn.failed_attempt === fence.attempt
  const failures = counted ? turn.failures : turn.failures + 1
  updateTurn(context, task, { failures, failed_attempt: fence.attempt })
  if (failures < maxAttempts) return { ...(await conclude(context, task, counted ? 'duplicate' : 'appended')), retry: true }
  await closeTurn(context, task, { kind: 'fail' })
  await enter(context, task, 'TASK_STATE_FAILED', message)
  return { ...(await conclude(context, task, 'appended')), retry: false }
}

async function closeTurn(context: TransactionContext, task: TaskRow, { kind, scheme }: TurnOutcome): Promise<void> {
  const asked = scheme === undefined ? null : JSON.stringify(scheme)
  updateTurn(context, task, { outcome: kind, auth_scheme: asked, ended_at: context.now })
  await context.db.updateTable('inbox').set({ handled: 1 }).where('task_id', '=', task.id).where('turn', '=', task.turn).execute()
}

interface TurnChanges {
  readonly batch?: number
  readonly failures?: number
  readonly failed_attempt?: number
  readonly outcome?: string
  readonly auth_scheme?: string | null
  readonly ended_at?: number
}

function updateTurn({ db, pending }: TransactionContext, { id, turn }: TaskRow, changes: TurnChanges): void {
  pending.push(() => db.updateTable('turns').set(changes).where('task_id', '=', id).where('turn', '=', turn).execute())
}
