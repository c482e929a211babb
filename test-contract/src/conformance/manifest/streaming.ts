import { HTTP_JSON, JSON_RPC, requirement } from './requirement.js'

/** SendStreamingMessage. */
export const STREAMING = [
  requirement('STREAM-01', 'M', '3.3.4', 'A card without streaming: streams and subscriptions are refused by an ordinary answer.', {
    kit: ['CORE-CAP-002'],
  }),
  requirement('STREAM-02', 'M', '3.1.2', 'A stream is a task, never a lone message, also where the agent answers with a message.', {
    kit: ['CORE-STREAM-002'],
  }),
  requirement('STREAM-03', 'M', '3.1.2', 'The first event is the task, and every other is an update of it.', { kit: ['CORE-STREAM-003'] }),
  requirement('STREAM-04', 'M', '3.1.2', 'The stream ends with the terminal state; nothing comes after it.', { kit: ['CORE-STREAM-003'] }),
  requirement('STREAM-05', 'M', '4.2', 'An event has exactly one of the four members, and none of version 0.3.', {
    kit: ['JSONRPC-SSE-001'],
  }),
  requirement('STREAM-06', 'M', '4.2', 'Every update names its task and its context.', { kit: ['DM-SERIAL-004'] }),
  requirement('STREAM-07', 'M', '3.5.2', 'Events come in the order in which the agent made them.', { kit: ['STREAM-ORDER-001'] }),
  requirement(
    'STREAM-08',
    'M',
    '3.5.2',
    'All streams of a task get the same events; one that is closed ends neither the others nor the task.',
    {
      kit: ['STREAM-ORDER-002', 'STREAM-ORDER-003', 'STREAM-ORDER-004'],
    },
  ),
  requirement('STREAM-09', 'M', '9.4.2', 'Every event is a whole JSON-RPC response with the id of the request.', {
    on: JSON_RPC,
    kit: ['JSONRPC-SSE-001'],
  }),
  requirement('STREAM-10', 'M', '11.7', 'Every event is the bare payload.', { on: HTTP_JSON, kit: ['HTTP_JSON-SSE-001'] }),
  requirement('STREAM-11', 'S', '11.7', 'What is wrong before the first event is told by an ordinary answer.', {
    kit: ['STREAM-SUB-003', 'STREAM-SUB-004'],
  }),
  requirement('STREAM-12', 'y', '11.7', 'No snapshot of the task is sent at the end: the updates are all that happened.'),
  requirement('STREAM-13', '-', '-', 'Nothing between the server and the client keeps events back: no cache, no buffer.'),
  requirement('STREAM-14', '-', '4.2.2', 'Chunks are appended to their artifact, which the task has whole.'),
]
