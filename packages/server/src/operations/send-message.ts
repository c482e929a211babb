import type { SendMessageRequestJson, SendMessageResponseJson, TaskJson } from '@moorage/protocol'
import type { LogEntry, TaskSnapshot, TaskStore } from '@moorage/store'
import { DRAINING, openScope } from '../scope.js'
import { type Accepted, acceptMessage } from './accept-message.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import { endsWait, type Wait } from './ends-wait.js'
import { withHistoryLength } from './history-length.js'
import { directAnswer, readSentTask } from './read-task.js'

/**
 * SendMessage (A2A §3.1.1). Waits for the end of its own message (§3.2.2), unless it is to return immediately; after the blocking
 * timeout it answers with the Task as it is, which then is the answer for good. An agent that may answers with a Message instead.
 */
export async function sendMessage(
  context: OperationContext,
  request: SendMessageRequestJson,
  call: Call,
): Promise<SendMessageResponseJson> {
  const { historyLength, returnImmediately = false } = request.configuration ?? {}
  const accepted = await acceptMessage(context, request, call, { mayBeMessage: !returnImmediately })
  const answer = returnImmediately
    ? toAnswer(await readSentTask(context, accepted.principal, accepted.receipt, historyLength))
    : await endedTask(context, accepted, call.signal, historyLength)
  return 'task' in answer ? { task: withHistoryLength(answer.task, historyLength) } : answer
}

function toAnswer(snapshot: TaskSnapshot): SendMessageResponseJson {
  const message = directAnswer(snapshot)
  return message ? { message } : { task: snapshot.task }
}

async function endedTask(
  context: OperationContext,
  { principal, receipt, kind }: Accepted,
  signal: AbortSignal,
  historyLength?: number,
): Promise<SendMessageResponseJson> {
  const wait: Wait = { kind: kind === 'command' ? kind : 'message', position: receipt.position }
  const scope = openScope(signal, context.blockingTimeoutMs)
  try {
    const end = await waitForEnd(context.store, receipt.taskId, receipt.cursor - 1, wait, scope.signal)
    // One more, since the message of the status may be among them.
    const length = historyLength === undefined ? undefined : historyLength + 1
    const read = () => readSentTask(context, principal, receipt, length)
    const found = await read()
    const snapshot = found.record.direct === 'pending' && !hasGone(signal) ? await revealed(context, receipt.taskId, read) : found
    const answer = toAnswer(snapshot)
    return end && 'task' in answer ? { task: taskAtEnd(snapshot, wait, end) } : answer
  } finally {
    scope.close()
  }
}

/** Makes the Task the answer of a message that nobody waits for any longer, unless a Message is by now. */
async function revealed({ store }: OperationContext, taskId: string, read: () => Promise<TaskSnapshot>): Promise<TaskSnapshot> {
  await store.transact([taskId], (tx) => tx.reveal(taskId))
  return read()
}

/** Whether the client is not there any more: it gets no answer, and may come again for its Message. */
function hasGone(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason !== DRAINING
}

/** The entry that ends the wait; undefined where the signal ended it. */
async function waitForEnd(store: TaskStore, taskId: string, after: number, wait: Wait, signal: AbortSignal): Promise<LogEntry | undefined> {
  for await (const entry of store.follow(taskId, after, signal)) if (endsWait(wait, entry)) return entry
  return undefined
}

/**
 * The Task with the status that ended the wait, where another message or a running turn has already replaced it: the caller waits for
 * that status. Everything else is as it is now.
 */
function taskAtEnd({ record, task }: TaskSnapshot, wait: Wait, end: LogEntry): TaskJson {
  if (!('statusUpdate' in end.payload)) return task
  const { status } = end.payload.statusUpdate
  const answered = wait.kind === 'command' ? record.state !== end.state : endsWait(wait, record)
  if (answered || record.seq === end.seq) return task
  const history = task.history?.filter((message) => message.messageId !== status.message?.messageId)
  return { ...task, status, ...(history && { history }) }
}
