import { HTTP_JSON, requirement } from './requirement.js'

/** CancelTask. */
export const CANCEL_TASK = [
  requirement('CANCEL-01', 'M', '3.1.5', 'A cancel answers with the canceled task; its streams and its waiting sends end.', {
    kit: ['CORE-CANCEL-001'],
  }),
  requirement('CANCEL-02', 'M', '3.1.5', 'A task in a terminal state cannot be canceled.', { kit: ['CORE-CANCEL-002'] }),
  requirement('CANCEL-03', 'M', '3.1.5', 'A task that does not exist is not found.', { kit: ['CORE-CANCEL-003'] }),
  requirement('CANCEL-04', '-', '3.1.5', 'What an agent does after the cancel changes nothing.'),
  requirement('CANCEL-05', '-', '11.3.2', 'A cancel needs no body.', { on: HTTP_JSON }),
]

/** SubscribeToTask. */
export const SUBSCRIBE = [
  requirement('SUB-01', 'M', '3.1.6', 'The first event is the task as it is; nothing is missing or double after it.', {
    kit: ['STREAM-SUB-001'],
  }),
  requirement('SUB-02', 'M', '3.1.6', 'A task in a terminal state cannot be subscribed to.', { kit: ['STREAM-SUB-003'] }),
  requirement('SUB-03', 'M', '3.1.6', 'A task that does not exist is not found.', { kit: ['STREAM-SUB-004'] }),
  requirement('SUB-04', 'M', '3.1.6', 'A subscription ends with the terminal state.', { kit: ['STREAM-SUB-002'] }),
  requirement('SUB-05', 'M', '3.1.6', 'A task that waits for its user can be subscribed to, and the stream goes on with the reply.', {
    kit: ['STREAM-SUB-002'],
  }),
  requirement('SUB-06', 'M', '3.3.4', 'A card without streaming: the subscription is refused before the task is looked up.', {
    kit: ['CORE-CAP-002'],
  }),
]
