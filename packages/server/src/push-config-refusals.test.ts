import { PUSHING } from './testing/push.js'
import { describeRefusals, type RefusalCase } from './testing/refusal-suite.js'
import { hello, newTask, watchedTask } from './testing/test-tasks.js'

const url = 'https://example.com/hook'
const at = 'configuration.taskPushNotificationConfig'
const inline = (config: object) => ({ message: hello(), configuration: { returnImmediately: true, taskPushNotificationConfig: config } })

const BAD_CONFIGS: readonly (readonly [what: string, config: object, field: string])[] = [
  ['an empty url', { url: '' }, 'url'],
  ['a url of another scheme', { url: 'ftp://example.com/' }, 'url'],
  ['a relative url', { url: '/hook' }, 'url'],
  ['a url with a password', { url: 'https://ann:secret@example.com/' }, 'url'],
  ['authentication without a scheme', { url, authentication: { credentials: 'secret' } }, 'authentication.scheme'],
  ['an id that no path carries', { url, id: '..' }, 'id'],
  ['a token that no header carries', { url, token: 'secret\n' }, 'token'],
]

const CASES: readonly RefusalCase[] = [
  ...BAD_CONFIGS.flatMap(([what, config, field]): RefusalCase[] => [
    {
      what,
      operation: 'createTaskPushNotificationConfig',
      request: { taskId: 'nope', ...config },
      error: 'RequestMalformedError',
      fields: [field],
    },
    { what, operation: 'sendMessage', request: inline(config), error: 'RequestMalformedError', fields: [`${at}.${field}`] },
  ]),
  { what: 'an unknown task', operation: 'createTaskPushNotificationConfig', request: { taskId: 'nope', url }, error: 'TaskNotFoundError' },
  { what: 'an unknown task', operation: 'getTaskPushNotificationConfig', request: { taskId: 'nope', id: 'c' }, error: 'TaskNotFoundError' },
  { what: 'an unknown task', operation: 'listTaskPushNotificationConfigs', request: { taskId: 'nope' }, error: 'TaskNotFoundError' },
  {
    what: 'an unknown task',
    operation: 'deleteTaskPushNotificationConfig',
    request: { taskId: 'nope', id: 'c' },
    error: 'TaskNotFoundError',
  },
  {
    what: 'an unknown config',
    operation: 'getTaskPushNotificationConfig',
    request: async (server) => ({ taskId: await newTask(server), id: 'nope' }),
    error: 'TaskNotFoundError',
  },
  {
    what: 'a forged page token',
    operation: 'listTaskPushNotificationConfigs',
    request: { taskId: 'nope', pageToken: 'bm9wZQ.bm9wZQ' },
    error: 'RequestMalformedError',
    fields: ['pageToken'],
  },
  {
    what: 'a watcher',
    operation: 'createTaskPushNotificationConfig',
    request: async (server) => ({ taskId: await watchedTask(server), url }),
    error: 'UnsupportedOperationError',
  },
  {
    what: 'a watcher',
    operation: 'listTaskPushNotificationConfigs',
    request: async (server) => ({ taskId: await watchedTask(server) }),
    error: 'UnsupportedOperationError',
  },
  {
    what: 'a task id in the config of a new task',
    operation: 'sendStreamingMessage',
    request: inline({ url, taskId: 'mine' }),
    error: 'RequestMalformedError',
    fields: [`${at}.taskId`],
  },
  {
    what: 'a config for another tenant',
    operation: 'sendMessage',
    request: inline({ url, tenant: 'acme' }),
    error: 'RequestMalformedError',
    fields: [`${at}.tenant`],
  },
]

describeRefusals(CASES.map((refusal) => ({ ...refusal, server: PUSHING })))

const UNDECLARED: readonly RefusalCase[] = (['sendMessage', 'sendStreamingMessage'] as const).map((operation) => ({
  what: 'the push config of a message, before its task is looked up',
  operation,
  request: { message: hello({ taskId: 'nope' }), configuration: { taskPushNotificationConfig: { url } } },
  error: 'PushNotificationNotSupportedError',
}))

describeRefusals(UNDECLARED)
