import { isTerminal, type MessageJson, type TaskState } from '@moorage/protocol'
import type { TurnOutcome } from '../turn.js'
import { directness, reveal } from './direct.js'
import { logStatus } from './log.js'
import type { TaskRow, TransactionContext } from './transaction-context.js'
import { handleAll } from './waiting.js'

const OUTCOME_STATES: Readonly<Record<Exclude<TurnOutcome['kind'], 'reply'>, TaskState>> = {
  complete: 'TASK_STATE_COMPLETED',
  fail: 'TASK_STATE_FAILED',
  reject: 'TASK_STATE_REJECTED',
  ask: 'TASK_STATE_INPUT_REQUIRED',
  'require-auth': 'TASK_STATE_AUTH_REQUIRED',
  park: 'TASK_STATE_INPUT_REQUIRED',
}

/** Writes the end of a turn as the task's status. */
export async function finish(context: TransactionContext, task: TaskRow, { kind, message, parks = false }: TurnOutcome): Promise<void> {
  if (kind !== 'reply') return enter(context, task, OUTCOME_STATES[kind], message)
  if (directness(task) === 'pending' && task.turn === 1) return end(context, task, 'TASK_STATE_COMPLETED', message)
  await enter(context, task, OUTCOME_STATES[parks ? 'park' : 'complete'], message)
}

/** Enters a state that ends waits, as the Task's. A terminal one handles every row and drops an end that was held. */
export async function enter(context: TransactionContext, task: TaskRow, state: TaskState, message?: MessageJson): Promise<void> {
  reveal(context, task)
  await end(context, task, state, message)
}

async function end(context: TransactionContext, task: TaskRow, state: TaskState, message?: MessageJson): Promise<void> {
  task.held = null
  if (isTerminal(state)) await handleAll(context, task, state)
  logStatus(context, task, state, { message })
}
