import type { SendMessageRequestJson } from '@moorage/protocol'
import { acceptMessage } from './accept-message.js'
import type { Call, StreamEvent } from './call.js'
import { requireStreaming } from './capabilities.js'
import type { OperationContext } from './context.js'
import type { Wait } from './ends-wait.js'
import { directAnswer, readSentTask } from './read-task.js'
import { type LogStream, streamFrom, streamLog } from './stream-log.js'

/**
 * SendStreamingMessage (A2A §3.1.2): the Task, then its updates, up to the end of this message. A new task's stream is its log from the first
 * entry on. Every other begins with the Task as it is, and ends there where that is the end: a message that is sent again must not end at a
 * question which has been answered since.
 */
export async function sendStreamingMessage(
  context: OperationContext,
  request: SendMessageRequestJson,
  call: Call,
): Promise<AsyncIterable<StreamEvent>> {
  const { store, card } = context
  const { principal, receipt, kind } = await acceptMessage(context, request, call, { checkCapability: () => requireStreaming(card) })
  const { taskId, position, cursor, duplicate } = receipt
  const wait: Wait = { kind: kind === 'command' ? 'command' : 'stream', position }
  const stream: LogStream = { store, taskId, wait, signal: call.signal, cut: call.cut, historyLength: request.configuration?.historyLength }
  if (cursor === 1 && !duplicate) return begun(streamLog(stream, 0))
  const snapshot = await readSentTask(context, principal, receipt, stream.historyLength)
  const message = directAnswer(snapshot)
  return message ? only({ seq: snapshot.record.seq, payload: { message } }) : streamFrom(snapshot, stream)
}

/** What a message that was answered by a Message gets when it is sent again: that Message, alone (A2A §3.1.2). */
async function* only(event: StreamEvent): AsyncGenerator<StreamEvent, void, undefined> {
  yield event
}

/** The events with the first one read already, so that what fails until then is an answer and not a broken stream. */
async function begun(events: AsyncGenerator<StreamEvent, void, undefined>): Promise<AsyncIterable<StreamEvent>> {
  const first = await events.next()
  return (async function* fromFirst() {
    if (first.done) return
    yield first.value
    yield* events
  })()
}
