import { isTerminal, type TaskState } from '@moorage/protocol'
import type { InboxKind, Waiting } from '../inbox-row.js'
import type { Remaining } from '../turn.js'
import type { TaskRow, TransactionContext } from './transaction-context.js'

export async function waitingRows({ db }: TransactionContext, taskId: string): Promise<readonly Waiting[]> {
  const rows = await db
    .selectFrom('inbox')
    .select(['position', 'kind'])
    .where('task_id', '=', taskId)
    .where('handled', '=', 0)
    .orderBy('position')
    .execute()
  return rows.map((row) => ({ position: row.position, kind: row.kind as InboxKind }))
}

/** Sets the task's `handled` to the end of the contiguous prefix of handled rows. */
export async function advanceHandled({ db }: TransactionContext, task: TaskRow): Promise<void> {
  const first = await db
    .selectFrom('inbox')
    .select('position')
    .where('task_id', '=', task.id)
    .where('handled', '=', 0)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  task.handled = first ? first.position - 1 : task.position
}

/** A terminal entry handles every row, so that every wait ends. */
export async function handleAll({ db }: TransactionContext, task: TaskRow): Promise<void> {
  await db.updateTable('inbox').set({ handled: 1 }).where('task_id', '=', task.id).where('handled', '=', 0).execute()
  task.handled = task.position
}

export async function markWake({ db, now, wakeAfterMs }: TransactionContext, task: TaskRow): Promise<void> {
  const due = now + wakeAfterMs
  await db
    .insertInto('wakes')
    .values({ task_id: task.id, agent: task.agent, due, tries: 0 })
    .onConflict((conflict) => conflict.column('task_id').doUpdateSet({ due, tries: 0 }))
    .execute()
}

export async function postponeWake({ db, now, wakeAfterMs }: TransactionContext, taskId: string): Promise<void> {
  await db
    .updateTable('wakes')
    .set({ due: now + wakeAfterMs, tries: 0 })
    .where('task_id', '=', taskId)
    .execute()
}

/**
 * What is left to do, told to the run of the task's workflow. Only that run asks: a mark without work is cleared here, also that of a task
 * that has ended, since the run ends when it reads this.
 */
export async function settle(context: TransactionContext, task: TaskRow | undefined): Promise<Remaining> {
  if (!task) return { unhandled: [], last: 0, terminal: true }
  const unhandled = await waitingRows(context, task.id)
  if (unhandled.length === 0) await context.db.deleteFrom('wakes').where('task_id', '=', task.id).execute()
  return { unhandled, last: task.position, terminal: isTerminal(task.state as TaskState) }
}
