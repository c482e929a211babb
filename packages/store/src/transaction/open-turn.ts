import { isTerminal, type Json, type TaskState } from '@moorage/protocol'
import type { Scheduling, TurnOpening } from '../turn.js'
import { loadTurn, type TurnRow } from './fence.js'
import { logEntry, logStatus } from './log.js'
import { lastThatFits, receivedIn } from './received.js'
import { restoreArtifacts } from './restore-artifacts.js'
import { flush, saveTask, type TaskRow, type TransactionContext } from './transaction-context.js'
import { postponeWake, readRemaining, settle } from './waiting.js'

/** Resumes the open turn as its next attempt, or opens the next turn over the messages that wait. */
export async function openTurn(context: TransactionContext, task: TaskRow | undefined, scheduling: Scheduling): Promise<TurnOpening> {
  if (!task || isTerminal(task.state as TaskState)) return { kind: 'idle', ...(await settle(context, task)) }
  const turn = await loadTurn(context, task)
  if (turn && turn.outcome === null) {
    if (turn.scheduling === scheduling.id && scheduling.attempt < turn.scheduling_attempt) {
      return { kind: 'stale', ...(await readRemaining(context, task)) }
    }
    await resume(context, task, scheduling)
    return opened(context, task, turn.batch)
  }
  if (!(await takeMessages(context, task))) return { kind: 'idle', ...(await settle(context, task)) }
  await begin(context, task, scheduling)
  return opened(context, task, 0)
}

/**
 * Gives the messages that wait to the next turn, oldest first and as many as a process can well hold; false when there are none. What is left
 * gets the turn after it.
 */
async function takeMessages({ db }: TransactionContext, task: TaskRow): Promise<boolean> {
  const waiting = await db
    .selectFrom('inbox')
    .select((eb) => ['position', eb.fn<number>('octet_length', ['message']).as('bytes')])
    .where('task_id', '=', task.id)
    .where('kind', '!=', 'command')
    .where('handled', '=', 0)
    .orderBy('position')
    .execute()
  const last = lastThatFits(waiting)
  if (last === undefined) return false
  await db
    .updateTable('inbox')
    .set({ turn: task.turn + 1 })
    .where('task_id', '=', task.id)
    .where('kind', '!=', 'command')
    .where('handled', '=', 0)
    .where('position', '<=', last)
    .execute()
  return true
}

async function begin(context: TransactionContext, task: TaskRow, scheduling: Scheduling): Promise<void> {
  task.turn += 1
  task.attempt = 1
  const turn: TurnRow = {
    task_id: task.id,
    turn: task.turn,
    attempt: 1,
    failures: 0,
    failed_attempt: 0,
    batch: 0,
    scheduling: scheduling.id,
    scheduling_attempt: scheduling.attempt,
    outcome: null,
    auth_scheme: null,
    opened_at: context.now,
    ended_at: null,
  }
  await context.db.insertInto('turns').values(turn).execute()
  if (task.state === 'TASK_STATE_WORKING') logTurn(context, task)
  else logStatus(context, task, 'TASK_STATE_WORKING')
}

async function resume(context: TransactionContext, task: TaskRow, scheduling: Scheduling): Promise<void> {
  task.attempt += 1
  await context.db
    .updateTable('turns')
    .set({ attempt: task.attempt, scheduling: scheduling.id, scheduling_attempt: scheduling.attempt })
    .where('task_id', '=', task.id)
    .where('turn', '=', task.turn)
    .execute()
  // The attempt before learns from this entry that its fence is down.
  logTurn(context, task)
  await restoreArtifacts(context, task)
}

function logTurn(context: TransactionContext, task: TaskRow): void {
  logEntry(context, task, { internal: { kind: 'turn', turn: task.turn, attempt: task.attempt } })
}

async function opened(context: TransactionContext, task: TaskRow, batch: number): Promise<TurnOpening> {
  saveTask(context, task)
  await flush(context)
  await postponeWake(context, task.id)
  return {
    kind: 'opened',
    fence: { turn: task.turn, attempt: task.attempt },
    contextId: task.context_id,
    batch,
    cursor: task.seq,
    ...(await receivedIn(context, task)),
    steps: await stepsOf(context, task),
    ...(await readRemaining(context, task)),
  }
}

async function stepsOf({ db }: TransactionContext, task: TaskRow): Promise<ReadonlyMap<string, Json>> {
  const rows = await db.selectFrom('steps').select(['name', 'value']).where('task_id', '=', task.id).where('turn', '=', task.turn).execute()
  return new Map(rows.map((row) => [row.name, JSON.parse(row.value) as Json]))
}
