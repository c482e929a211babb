import { isTerminal, type TaskState } from '@moorage/protocol'
import type { InboxKind, Waiting, WaitingSize } from '../inbox-row.js'
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

export async function measureWaiting({ db }: TransactionContext, taskId: string, kind: InboxKind): Promise<WaitingSize> {
  const { count, bytes } = await db
    .selectFrom('inbox')
    .select((eb) => [
      eb.fn.countAll<number | string>().as('count'),
      eb.fn.sum<number | string | null>(eb.fn('octet_length', ['message'])).as('bytes'),
    ])
    .where('task_id', '=', taskId)
    .where('handled', '=', 0)
    .where('kind', '=', kind)
    .where('turn', 'is', null)
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes ?? 0) }
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

/** A terminal entry handles every row, so that every wait ends. What so never ran is told in the audit. */
export async function handleAll({ db, now }: TransactionContext, task: TaskRow, state: TaskState): Promise<void> {
  const unhandled = db.selectFrom('inbox').where('task_id', '=', task.id).where('handled', '=', 0).where('turn', 'is', null)
  await db
    .insertInto('audit')
    .columns(['at', 'agent', 'tenant', 'subject', 'participant', 'task_id', 'operation', 'outcome', 'position', 'reason'])
    .expression(
      unhandled.select((eb) => [
        eb.val(now).as('at'),
        eb.val(task.agent).as('agent'),
        'tenant',
        'subject',
        'participant',
        'task_id',
        'kind as operation',
        eb.val('not run').as('outcome'),
        'position',
        eb.val<string>(state).as('reason'),
      ]),
    )
    .execute()
  await db.updateTable('inbox').set({ handled: 1 }).where('task_id', '=', task.id).where('handled', '=', 0).execute()
  task.handled = task.position
}

/** Sets the task's wake mark; one that is due sooner stays, or a busy sender would put it off for ever. */
export function markWake({ db, now, wakeAfterMs, pending }: TransactionContext, { id, agent }: TaskRow): void {
  pending.push(() =>
    db
      .insertInto('wakes')
      .values({ task_id: id, agent, due: now + wakeAfterMs, tries: 0 })
      .onConflict((conflict) =>
        conflict.column('task_id').doUpdateSet((eb) => ({
          due: eb.case().when('excluded.due', '<', eb.ref('wakes.due')).then(eb.ref('excluded.due')).else(eb.ref('wakes.due')).end(),
          tries: 0,
        })),
      )
      .execute(),
  )
}

/**
 * Puts off the wake of a task that is being worked on, unless something waits that nobody works on: a command that was never claimed, or a
 * message or an authorisation while no turn is open (one that an open turn has not taken gets the next turn by the end of this one).
 */
export async function postponeWake({ db, now, wakeAfterMs }: TransactionContext, taskId: string): Promise<void> {
  const openTurn = db
    .selectFrom('turns')
    .innerJoin('tasks', 'tasks.id', 'turns.task_id')
    .select('turns.turn')
    .whereRef('turns.turn', '=', 'tasks.turn')
    .where('turns.task_id', '=', taskId)
    .where('turns.outcome', 'is', null)
  const neglected = db
    .selectFrom('inbox')
    .select('position')
    .where('task_id', '=', taskId)
    .where('handled', '=', 0)
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'command'), eb('claim', '=', 0)]),
        eb.and([eb('kind', '!=', 'command'), eb('turn', 'is', null), eb.not(eb.exists(openTurn))]),
      ]),
    )
  await db
    .updateTable('wakes')
    .set({ due: now + wakeAfterMs, tries: 0 })
    .where('task_id', '=', taskId)
    .where((eb) => eb.not(eb.exists(neglected)))
    .execute()
}

/** What is left to do. */
export async function readRemaining(context: TransactionContext, task: TaskRow | undefined): Promise<Remaining> {
  if (!task) return { unhandled: [], last: 0, terminal: true }
  return { unhandled: await waitingRows(context, task.id), last: task.position, terminal: isTerminal(task.state as TaskState) }
}

/**
 * What is left to do, told to the run of the task's workflow by what it runs now. A mark without work is cleared, also that of a task that has
 * ended, since the run ends when it reads this.
 */
export async function settle(context: TransactionContext, task: TaskRow | undefined): Promise<Remaining> {
  const remaining = await readRemaining(context, task)
  if (task && remaining.unhandled.length === 0) await context.db.deleteFrom('wakes').where('task_id', '=', task.id).execute()
  return remaining
}
