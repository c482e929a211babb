import { UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { isTerminal, type SubscribeToTaskRequestJson } from '@moorage/protocol'
import type { TaskRecord } from '@moorage/store'
import { invalidParam } from '../errors.js'
import { V0_3 } from '../service-parameters.js'
import { auditRead, auditRefusedRead } from './audit-read.js'
import type { Call, StreamEvent } from './call.js'
import { requireStreaming } from './capabilities.js'
import type { OperationContext } from './context.js'
import { enter } from './enter.js'
import { readTask, readTaskRecord } from './read-task.js'
import { type LogStream, streamFrom, streamLog } from './stream-log.js'

/**
 * SubscribeToTask (A2A §3.1.6): the Task as it is, then its updates, up to its end. With `Last-Event-ID: n`, an extension, every event
 * after n instead, also of a task that has ended.
 */
export async function subscribeToTask(
  context: OperationContext,
  request: SubscribeToTaskRequestJson,
  call: Call,
): Promise<AsyncIterable<StreamEvent>> {
  const after = parseLastEventId(call.lastEventId)
  const audited = { operation: 'subscribe', taskId: request.id }
  const principal = await enter(context, call, request, audited)
  requireStreaming(context.card)
  const { signal, cut } = call
  const stream: LogStream = { store: context.store, taskId: request.id, wait: { kind: 'subscription' }, signal, cut }
  if (after !== undefined) {
    // The log alone is read: a task may be long, and many may come back at once.
    const record = await auditRead(context, principal, audited, () => readTaskRecord(context, principal, request.id))
    if (after > record.seq) throw wrongLastEventId()
    return resume(stream, record, after)
  }
  const snapshot = await auditRead(context, principal, audited, () => readTask(context, principal, request.id))
  const { record } = snapshot
  // A2A 0.3: "If the task is complete the stream will return the completed task and close" (TaskSubscription of its proto).
  if (isTerminal(record.state) && call.version !== V0_3) {
    await auditRefusedRead(context, principal, audited, 'terminal')
    throw new UnsupportedOperationError({
      message: `The task is in a terminal state (${record.state}): nothing can follow`,
      metadata: { taskId: record.id, state: record.state },
    })
  }
  return streamFrom(snapshot, stream)
}

/** Nothing can follow the last entry of a task that has ended, so there is nothing to wait for. */
function resume(stream: LogStream, { seq, state }: TaskRecord, after: number): AsyncIterable<StreamEvent> {
  return isTerminal(state) && after === seq ? nothing() : streamLog(stream, after)
}

async function* nothing(): AsyncGenerator<StreamEvent, void, undefined> {}

function parseLastEventId(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (!/^\d{1,15}$/.test(header)) throw wrongLastEventId()
  return Number(header)
}

function wrongLastEventId(): Error {
  return invalidParam('Last-Event-ID', 'Send the id of an event of this task, or 0 for all of them.')
}
