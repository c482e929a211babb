import { isTerminal, type TaskState } from '@moorage/protocol'
import type { Selectable } from 'kysely'
import type { TurnsTable } from '../schema.js'
import type { AppendOutcome, AppendResult, Fence } from '../turn.js'
import { saveTask, type TaskRow, type TransactionContext } from './transaction-context.js'
import { readRemaining, settle } from './waiting.js'

export type TurnRow = Selectable<TurnsTable>

export async function loadTurn({ db }: TransactionContext, task: TaskRow): Promise<TurnRow | undefined> {
  if (task.turn === 0) return undefined
  return db.selectFrom('turns').selectAll().where('task_id', '=', task.id).where('turn', '=', task.turn).executeTakeFirst()
}

/** Whether the turn may write: it is the task's turn, this is its latest attempt, and it has not ended. */
export function checkFence(task: TaskRow, turn: TurnRow | undefined, fence: Fence): 'open' | 'ended' | 'stale' | 'terminal' {
  const own = turn !== undefined && task.turn === fence.turn && task.attempt === fence.attempt
  if (own && turn.outcome !== null) return 'ended'
  if (isTerminal(task.state as TaskState)) return 'terminal'
  return own ? 'open' : 'stale'
}

/** Saves the task and says what became of the write, and what is left to do. Who is stale is not who will do it, and clears no mark. */
export async function conclude(context: TransactionContext, task: TaskRow, result: AppendResult): Promise<AppendOutcome> {
  if (result === 'appended') saveTask(context, task)
  return { result, ...(await (result === 'stale' ? readRemaining(context, task) : settle(context, task))) }
}
