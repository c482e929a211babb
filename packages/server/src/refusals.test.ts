import { StoreUnavailableError } from '@moorage/store'
import { describeRefusals, type RefusalCase } from './testing/refusal-suite.js'
import { testCard } from './testing/test-agent.js'
import { overrideStore } from './testing/test-server.js'
import { endedTask, hello, watchedTask } from './testing/test-tasks.js'

const STREAMS_OFF = { card: testCard({ capabilities: { streaming: false, pushNotifications: false } }) }
const EXTENSION = { uri: 'urn:example:needed', required: true }
const EXTENDED = { card: testCard({ capabilities: { streaming: true, pushNotifications: false, extensions: [EXTENSION] } }) }

const OTHERS: readonly RefusalCase[] = [
  { what: 'an unknown task', operation: 'getTask', request: { id: 'nope' }, error: 'TaskNotFoundError' },
  {
    what: 'a bad historyLength',
    operation: 'getTask',
    request: { id: 'nope', historyLength: '1.5' },
    error: 'RequestMalformedError',
    fields: ['historyLength'],
  },
  { what: 'an unknown task', operation: 'cancelTask', request: { id: 'nope' }, error: 'TaskNotFoundError' },
  ...(['complete', 'fail', 'reject'] as const).map(
    (kind): RefusalCase => ({
      what: `a task that has ended by ${kind}`,
      operation: 'cancelTask',
      request: async (server) => ({ id: await endedTask(server, kind) }),
      error: 'TaskNotCancelableError',
    }),
  ),
  {
    what: 'a watcher',
    operation: 'cancelTask',
    request: async (server) => ({ id: await watchedTask(server) }),
    error: 'UnsupportedOperationError',
  },
  { what: 'an unknown task', operation: 'subscribeToTask', request: { id: 'nope' }, error: 'TaskNotFoundError' },
  {
    what: 'no streaming',
    operation: 'subscribeToTask',
    request: { id: 'nope' },
    error: 'UnsupportedOperationError',
    server: STREAMS_OFF,
  },
  {
    what: 'no streaming',
    operation: 'sendStreamingMessage',
    request: { message: hello({ taskId: 'nope' }) },
    error: 'UnsupportedOperationError',
    server: STREAMS_OFF,
  },
  ...([0, -1, 101, 'abc'] as const).map(
    (pageSize): RefusalCase => ({
      what: `pageSize ${pageSize}`,
      operation: 'listTasks',
      request: { pageSize },
      error: 'RequestMalformedError',
      fields: ['pageSize'],
    }),
  ),
  { what: 'an unknown status', operation: 'listTasks', request: { status: 'DONE' }, error: 'RequestMalformedError', fields: ['status'] },
  {
    what: 'a forged page token',
    operation: 'listTasks',
    request: { pageToken: 'bm9wZQ.bm9wZQ' },
    error: 'RequestMalformedError',
    fields: ['pageToken'],
  },
  ...(['createTaskPushNotificationConfig', 'listTaskPushNotificationConfigs'] as const).map(
    (operation): RefusalCase => ({
      what: 'push notifications, before any task is looked up',
      operation,
      request: { taskId: 'nope', ...(operation === 'createTaskPushNotificationConfig' && { url: 'https://example.com/' }) },
      error: 'PushNotificationNotSupportedError',
    }),
  ),
  ...(['getTaskPushNotificationConfig', 'deleteTaskPushNotificationConfig'] as const).map(
    (operation): RefusalCase => ({
      what: 'push notifications, before any task is looked up',
      operation,
      request: { taskId: 'nope', id: 'c' },
      error: 'PushNotificationNotSupportedError',
    }),
  ),
  ...(['abc', -1, 1.5] as const).map(
    (pageSize): RefusalCase => ({
      what: `pageSize ${pageSize}, before the capability`,
      operation: 'listTaskPushNotificationConfigs',
      request: { taskId: 'nope', pageSize },
      error: 'RequestMalformedError',
      fields: ['pageSize'],
    }),
  ),
  {
    what: 'a url that is none',
    operation: 'createTaskPushNotificationConfig',
    request: { taskId: 'nope', url: 'ftp://example.com' },
    error: 'RequestMalformedError',
    fields: ['url'],
  },
  { what: 'an undeclared extended card', operation: 'getExtendedAgentCard', request: {}, error: 'UnsupportedOperationError' },
  {
    what: 'an unknown extension',
    operation: 'sendMessage',
    request: { message: hello() },
    error: 'UnsupportedOperationError',
    headers: { 'A2A-Extensions': 'urn:example:unknown' },
  },
  {
    what: 'a required extension that is left out',
    operation: 'getTask',
    request: { id: 'nope' },
    error: 'ExtensionSupportRequiredError',
    server: EXTENDED,
  },
  ...['99.0', '0.3', '1', 'x', ''].map(
    (version): RefusalCase => ({
      what: `version "${version}"`,
      operation: 'getTask',
      request: { id: 'nope' },
      error: 'VersionNotSupportedError',
      headers: { 'A2A-Version': version },
    }),
  ),
  {
    what: 'a store that is away',
    operation: 'sendMessage',
    request: { message: hello() },
    error: 'Unavailable',
    server: { wrapStore: (store) => overrideStore(store, { transact: () => Promise.reject(new StoreUnavailableError('/data/secret')) }) },
  },
  {
    what: 'an error of the server',
    operation: 'getTask',
    request: { id: 'nope' },
    error: 'InternalError',
    server: { wrapStore: (store) => overrideStore(store, { record: () => Promise.reject(new Error('/data/secret')) }) },
  },
]

describeRefusals(OTHERS)
