import { HTTP_JSON, requirement } from './requirement.js'

/** GetTask. */
export const GET_TASK = [
  requirement('GET-01', 'M', '3.1.3', 'The answer is the bare task.', { kit: ['CORE-GET-001'] }),
  requirement('GET-02', 'M', '3.1.3', 'A task that does not exist is not found.', { kit: ['CORE-GET-002'] }),
  requirement('GET-03', 'M', '3.2.4', 'historyLength gives at most so many messages, the latest ones.', { kit: ['CORE-HIST-002'] }),
  requirement('GET-04', 'S', '3.2.4', 'historyLength 0 leaves the history out.', { kit: ['CORE-HIST-001'] }),
  requirement('GET-05', '-', '3.2.4', 'Without historyLength the whole history comes.'),
  requirement('GET-06', 'M', '3.2.4', 'A historyLength that is negative or no integer is refused.'),
  requirement('GET-07', 'S', '3.2.4', 'The history is what was said, in the order in which it was said.', {
    kit: ['CORE-HIST-005', 'CORE-HIST-006'],
  }),
]

/** ListTasks. */
export const LIST_TASKS = [
  requirement('LIST-01', 'M', '3.1.4', 'tasks, nextPageToken, pageSize and totalSize are always there, also empty.', {
    kit: ['CORE-LIST-004'],
  }),
  requirement('LIST-02', 'M', '3.1.4', 'The last page has an empty token, also where it is full.', { kit: ['CORE-LIST-004'] }),
  requirement('LIST-03', 'M', '3.1.4', 'The task whose status is the latest comes first.', { kit: ['CORE-LIST-003'] }),
  requirement('LIST-04', 'M', '3.1.4', 'Pages skip and repeat no task, also while tasks are added.', { kit: ['CORE-LIST-002'] }),
  requirement('LIST-05', 'M', '3.1.4', 'A page has 50 tasks where nothing is said; anything but 1 to 100 is refused.'),
  requirement('LIST-06', 'M', '3.1.4', 'A token that is forged, or of another filter, is refused.'),
  requirement('LIST-07', 'M', '3.1.4', 'contextId, status and statusTimestampAfter filter, all of them together.'),
  requirement('LIST-08', 'M', '3.1.4', 'Artifacts come only where they are asked for.', { kit: ['CORE-LIST-005'] }),
  requirement('LIST-09', 'M', '3.1.4', 'totalSize counts all that match, whatever the page.'),
  requirement('LIST-10', 'M', '3.2.4', 'historyLength limits the history of each task.'),
  requirement('LIST-11', 'M', '3.1.4', 'Only what the caller may see is listed and counted.', { kit: ['CORE-LIST-001', 'AUTH-SCOPE-002'] }),
  requirement('LIST-12', 'M', '11.5', 'A query has camelCase names, true and false, enum names and ISO times.', {
    on: HTTP_JSON,
    kit: ['HTTP_JSON-QP-001'],
  }),
]
