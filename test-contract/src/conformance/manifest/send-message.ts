import { requirement } from './requirement.js'

/** SendMessage. */
export const SEND_MESSAGE = [
  requirement('SEND-01', 'M', '3.1.1', 'The answer is one object with exactly one member: task or message.', { kit: ['CORE-SEND-001'] }),
  requirement('SEND-02', 'M', '3.2.2', 'A send waits for the end of its message: a terminal or an interrupted state.', {
    kit: ['CORE-EXECUTION-MODE-001'],
  }),
  requirement('SEND-03', 'M', '3.2.2', 'The answer of a send that waited has the last status and all artifacts.'),
  requirement('SEND-04', 'M', '3.2.2', 'With returnImmediately the answer comes as soon as the task is recorded; the work goes on.', {
    kit: ['CORE-EXECUTION-MODE-002'],
  }),
  requirement('SEND-05', 'M', '3.2.2', 'returnImmediately changes nothing about streams and about what is registered with the message.'),
  requirement('SEND-06', 'M', '3.1.1', 'A message to a task in a terminal state is refused, on sends and on streams.', {
    kit: ['CORE-SEND-002'],
  }),
  requirement('SEND-07', 'M', '3.4.2', 'A task id that the server has not given is not found, and no task comes of it.', {
    kit: ['CORE-MULTI-004'],
  }),
  requirement('SEND-08', 'M', '3.1.1', 'A part of a media type that the card does not take is refused.', { kit: ['CORE-SEND-003'] }),
  requirement('SEND-09', 'M', '5.7', 'messageId, role and at least one part are required, and a refusal names what is missing.', {
    kit: ['CORE-ERR-002', 'DM-SERIAL-004'],
  }),
  requirement('SEND-10', 'M', '3.4.2', 'Every new task gets an id of its own from the server.', { kit: ['CORE-MULTI-003'] }),
  requirement(
    'SEND-11',
    'M',
    '3.4.1',
    'A context id that the server made is in the answer, in every event, and in every message of the agent.',
    {
      kit: ['CORE-MULTI-001a'],
    },
  ),
  requirement('SEND-12', 'M', '3.4.1', 'A context id of the client is kept as it is.', { kit: ['CORE-MULTI-002', 'CORE-MULTI-002a'] }),
  requirement('SEND-13', 'M', '3.4.3', 'A message that names its task alone is in the context of that task.', { kit: ['CORE-MULTI-005'] }),
  requirement('SEND-14', 'M', '3.4.3', "A context id that is not the task's is refused, and the task stays as it was.", {
    kit: ['CORE-MULTI-006'],
  }),
  requirement('SEND-15', 'M', '3.4.3', 'A message to an interrupted task goes on with that task.'),
  requirement('SEND-16', 'S', '3.2.2', 'acceptedOutputModes is taken; the agent answers in its own modes all the same.'),
  requirement(
    'SEND-17',
    'S',
    '3.4.3',
    'referenceTaskIds reach the agent with the message; one that names no task of the caller is refused, in the same words whoever has it.',
  ),
  requirement('SEND-18', 'y', '3.3.1', 'The same message sent again is the same task, unless that is switched off.'),
  requirement('SEND-19', 'M', '3.2.4', 'historyLength limits the history of the answer.', { kit: ['CORE-HIST-003'] }),
  requirement('SEND-20', 'M', '3.2.2', 'A push config that comes with a message is registered before the first update.'),
]
