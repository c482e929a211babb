import { isInterrupted, type MessageJson, type TaskState } from '@moorage/protocol'
import type { InboxKind, NewInboxRow, Receipt, StoredReceipt } from '../inbox-row.js'
import { toRows } from '../participations.js'
import { buildTask } from '../task-json.js'
import type { NewTask } from '../task-store.js'
import type { TurnOutcome } from '../turn.js'
import { reveal } from './direct.js'
import { addHistory, logEntry, logStatus } from './log.js'
import { saveTask, type TaskRow, type TransactionContext } from './transaction-context.js'
import { markWake } from './waiting.js'

export async function findReceipt({ db }: TransactionContext, key: string): Promise<StoredReceipt | undefined> {
  const row = await db
    .selectFrom('inbox')
    .select(['task_id', 'position', 'cursor', 'state', 'digest', 'kind', 'handled'])
    .where('message_key', '=', key)
    .executeTakeFirst()
  return (
    row && {
      taskId: row.task_id,
      position: row.position,
      cursor: row.cursor,
      duplicate: true,
      state: row.state as TaskState,
      digest: row.digest,
      kind: row.kind as StoredReceipt['kind'],
      handled: row.handled === 1,
    }
  )
}

/** Records a new task with its first message; entry 1 is the Task. */
export function createTask(context: TransactionContext, newTask: NewTask, first: NewInboxRow): Receipt {
  const { db, pending } = context
  const task = newRow(context, newTask)
  const participants = toRows(newTask.participants).map((row) => ({ ...row, task_id: task.id, agent: task.agent, tenant: task.tenant }))
  if (newTask.direct) task.withheld = JSON.stringify(participants)
  // The task first: who meets its key must not have written anything else.
  pending.push(() => db.insertInto('tasks').values(task).execute())
  if (!newTask.direct) pending.push(() => db.insertInto('task_participants').values(participants).execute())
  const message = inTask(task, first.message)
  addHistory(context, task, JSON.stringify(message))
  logEntry(context, task, { task: buildTask(task, { history: [message], artifacts: [] }) })
  return addRow(context, task, kindOf(first), first, message)
}

/** Records a further message. One that runs a turn ends a park, and drops an end that is held for commands: what it said is said at once. */
export function acceptMessage(context: TransactionContext, task: TaskRow, row: NewInboxRow): Receipt {
  reveal(context, task)
  const message = inTask(task, row.message)
  const runsTurn = !row.command
  if (runsTurn && task.held !== null) {
    const held = JSON.parse(task.held) as TurnOutcome
    task.held = null
    if (held.message) logStatus(context, task, 'TASK_STATE_WORKING', { message: held.message })
  }
  const ended = runsTurn && isInterrupted(task.state as TaskState)
  if (ended) logStatus(context, task, 'TASK_STATE_WORKING')
  addHistory(context, task, JSON.stringify(message))
  if (!ended) logEntry(context, task, { internal: { kind: 'accepted', position: task.position + 1 } })
  const receipt = addRow(context, task, kindOf(row), row, message)
  saveTask(context, task)
  return receipt
}

function kindOf({ command }: NewInboxRow): InboxKind {
  return command ? 'command' : 'message'
}

/** Adds what was accepted to the inbox, behind the log entry that says so. */
export function addRow(
  context: TransactionContext,
  task: TaskRow,
  kind: InboxKind,
  row: Omit<NewInboxRow, 'message'>,
  message: object,
): Receipt {
  task.position += 1
  const receipt = { taskId: task.id, position: task.position, cursor: task.seq, duplicate: false, state: task.state as TaskState }
  const columns = {
    task_id: task.id,
    position: receipt.position,
    kind,
    message_key: row.key,
    digest: row.digest,
    message: JSON.stringify(message),
    command: row.command?.name ?? null,
    args: row.command ? JSON.stringify(row.command.args) : null,
    annotations: row.annotations ? JSON.stringify(row.annotations) : null,
    tenant: row.sender.tenant,
    subject: row.sender.subject,
    participant: row.sender.participant,
    received_at: context.now,
    cursor: receipt.cursor,
    state: receipt.state,
    handled: 0,
    turn: null,
    claim: 0,
    scheduling: null,
    scheduling_attempt: 0,
    failures: 0,
    failed_claim: 0,
  }
  context.pending.push(() => context.db.insertInto('inbox').values(columns).execute())
  markWake(context, task)
  return receipt
}

/** The message as the task knows it: with the task's own ids (A2A §3.4.3). */
function inTask(task: TaskRow, message: MessageJson): MessageJson {
  return { ...message, taskId: task.id, contextId: task.context_id }
}

function newRow({ now }: TransactionContext, task: NewTask): TaskRow {
  return {
    id: task.id,
    agent: task.agent,
    tenant: task.tenant,
    context_id: task.contextId,
    state: 'TASK_STATE_SUBMITTED',
    status_at: now,
    status_message: null,
    status_ordinal: null,
    metadata: task.metadata ? JSON.stringify(task.metadata) : null,
    created_at: now,
    seq: 0,
    position: 0,
    handled: 0,
    message_count: 0,
    artifact_count: 0,
    turn: 0,
    attempt: 0,
    held: null,
    withheld: null,
  }
}
