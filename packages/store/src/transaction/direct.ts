import { isTerminal, type TaskState } from '@moorage/protocol'
import type { TaskParticipantsTable, TasksTable } from '../schema.js'
import type { TaskRecord } from '../task-store.js'
import type { TaskRow, TransactionContext } from './transaction-context.js'

/** Whether the first message may be, or was, answered by a Message. Every other end gives the task its participants before. */
export function directness({ withheld, state }: Pick<TasksTable, 'withheld' | 'state'>): TaskRecord['direct'] {
  if (withheld === null) return undefined
  return isTerminal(state as TaskState) ? 'answered' : 'pending'
}

/** Makes the task its participants', as the Task will be the answer. The caller saves the task. */
export function reveal({ db, pending }: TransactionContext, task: TaskRow): void {
  if (directness(task) !== 'pending' || task.withheld === null) return
  const rows = JSON.parse(task.withheld) as TaskParticipantsTable[]
  task.withheld = null
  pending.push(() => db.insertInto('task_participants').values(rows).execute())
}
