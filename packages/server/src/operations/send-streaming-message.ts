import type { SendMessageRequestJson } from '@moorage/protocol'
import { acceptMessage } from './accept-message.js'
import type { Call, StreamEvent } from './call.js'
import { requireStreaming } from './capabilities.js'
import type { OperationContext } from './context.js'
import type { Wait } from './ends-wait.js'
import { readTask } from './read-task.js'
import { type LogStream, streamFrom, streamLog } from './stream-log.js'

/**
 * SendStreamingMessage (A2A §3.1.2): the Task, then its updates, up to the end of this message. A first message's stream is the log from
 * its first entry on, also when it is sent again.
 */
export async function sendStreamingMessage(
  context: OperationContext,
  request: SendMessageRequestJson,
  call: Call,
): Promise<AsyncIterable<StreamEvent>> {
  const { store, card } = context
  const { principal, receipt, kind } = await acceptMessage(context, request, call, () => requireStreaming(card))
  const { taskId, position, cursor } = receipt
  const wait: Wait = { kind: kind === 'command' ? 'command' : 'stream', position }
  const stream: LogStream = { store, taskId, wait, signal: call.signal, historyLength: request.configuration?.historyLength }
  return cursor === 1 ? streamLog(stream, 0) : streamFrom(await readTask(context, principal, taskId), stream)
}
