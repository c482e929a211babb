import type { TaskState } from '@moorage/protocol'
import type { Authorization, AuthorizationState, NewAuthorization, Receipt } from '../inbox-row.js'
import { toTimestamp } from '../task-json.js'
import { addRow } from './accept.js'
import { loadTurn } from './fence.js'
import { logStatus } from './log.js'
import { saveTask, type TaskRow, type TransactionContext } from './transaction-context.js'

/** Ends the wait for an authorisation. The row comes with no message: nothing of it is told to clients but that the task goes on. */
export function authorizeTask(context: TransactionContext, task: TaskRow, { scheme, sender }: NewAuthorization): Receipt {
  const { tenant, subject, participant } = sender
  const authorization: Authorization = { scheme, by: { tenant, subject, participant }, at: toTimestamp(context.now) }
  logStatus(context, task, 'TASK_STATE_WORKING')
  const key = `authorization ${task.id} ${task.position + 1}`
  const receipt = addRow(context, task, 'authorization', { key, digest: '', sender }, authorization)
  saveTask(context, task)
  return receipt
}

export async function readAuthorization(context: TransactionContext, task: TaskRow | undefined): Promise<AuthorizationState | undefined> {
  if (!task) return undefined
  const asked = task.state === 'TASK_STATE_AUTH_REQUIRED' ? await askedScheme(context, task) : undefined
  const given = await lastAuthorization(context, task)
  return { ...(asked !== undefined && { asked }), ...(given && { given }) }
}

/** Of the last turn, since the status may have another message by now: the reply of a command. */
async function askedScheme(context: TransactionContext, task: TaskRow): Promise<string> {
  const turn = await loadTurn(context, task)
  return turn?.auth_scheme ? (JSON.parse(turn.auth_scheme) as string) : ''
}

async function lastAuthorization({ db }: TransactionContext, task: TaskRow): Promise<AuthorizationState['given']> {
  const row = await db
    .selectFrom('inbox')
    .select(['position', 'cursor', 'state', 'handled', 'message'])
    .where('task_id', '=', task.id)
    .where('kind', '=', 'authorization')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { position, cursor, state } = row
  return {
    authorization: JSON.parse(row.message) as Authorization,
    receipt: { taskId: task.id, position, cursor, duplicate: true, state: state as TaskState },
    handled: row.handled === 1,
  }
}
