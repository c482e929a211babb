import { z } from 'zod'
import type { Fields } from './testing/bindings.js'
import { describeRefusals, type RefusalCase } from './testing/refusal-suite.js'
import { testAgent, testCard } from './testing/test-agent.js'
import { endedTask, hello, newTask, watchedTask } from './testing/test-tasks.js'

const without = (fields: Fields, name: string): Fields => Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name))

const deep = (levels: number): unknown => (levels === 0 ? 'x' : [deep(levels - 1)])

const SENDS = (['sendMessage', 'sendStreamingMessage'] as const).flatMap((operation): RefusalCase[] => [
  { what: 'no message', operation, request: {}, error: 'RequestMalformedError', fields: ['message'] },
  ...['messageId', 'role', 'parts'].map(
    (field): RefusalCase => ({
      what: `no ${field}`,
      operation,
      request: { message: without(hello(), field) },
      error: 'RequestMalformedError',
      fields: [`message.${field}`],
    }),
  ),
  {
    what: 'no parts',
    operation,
    request: { message: hello({ parts: [] }) },
    error: 'RequestMalformedError',
    fields: ['message.parts'],
  },
  {
    what: 'a part of two kinds',
    operation,
    request: { message: hello({ parts: [{ text: 'a', url: 'b' }] }) },
    error: 'RequestMalformedError',
    fields: ['message.parts[0]'],
  },
  {
    what: 'the role of the agent',
    operation,
    request: { message: hello({ role: 'ROLE_AGENT' }) },
    error: 'RequestMalformedError',
    fields: ['message.role'],
  },
  {
    what: 'more than a hundred parts',
    operation,
    request: { message: hello({ parts: Array.from({ length: 101 }, () => ({ text: 'x' })) }) },
    error: 'RequestMalformedError',
    fields: ['message.parts'],
  },
  {
    what: 'JSON that is nested too deep',
    operation,
    request: { message: hello({ metadata: { deep: deep(64) } }) },
    error: 'RequestMalformedError',
    fields: ['message.metadata.deep'],
  },
  ...(
    [
      ['referenceTaskIds', { message: hello({ referenceTaskIds: Array(101).fill('') }) }, 'message.referenceTaskIds'],
      ['extensions', { message: hello({ extensions: Array(101).fill('') }) }, 'message.extensions'],
      ['modes', { message: hello(), configuration: { acceptedOutputModes: Array(101).fill('') } }, 'configuration.acceptedOutputModes'],
    ] as const
  ).map(
    ([what, request, field]): RefusalCase => ({
      what: `more than a hundred ${what}`,
      operation,
      request,
      error: 'RequestMalformedError',
      fields: [field],
    }),
  ),
  {
    what: 'a negative historyLength',
    operation,
    request: { message: hello(), configuration: { historyLength: -1 } },
    error: 'RequestMalformedError',
    fields: ['configuration.historyLength'],
  },
  {
    what: 'a media type that the card does not take',
    operation,
    request: { message: hello({ parts: [{ text: 'x' }, { text: 'x', mediaType: 'application/x-nope' }] }) },
    error: 'ContentTypeNotSupportedError',
  },
  {
    what: 'data for a card that takes text',
    operation,
    request: { message: hello({ parts: [{ data: {} }] }) },
    error: 'ContentTypeNotSupportedError',
  },
  {
    what: 'bytes for a card that takes text',
    operation,
    request: { message: hello({ parts: [{ raw: 'aGk=' }] }) },
    error: 'ContentTypeNotSupportedError',
  },
  {
    what: 'text for an agent with a schema',
    operation,
    request: { message: hello() },
    error: 'RequestMalformedError',
    fields: ['message.parts'],
    server: { agent: testAgent(z.object({ n: z.number() })), card: testCard({ defaultInputModes: ['text/plain', 'application/json'] }) },
  },
  {
    what: "data that does not fit the agent's schema",
    operation,
    request: { message: hello({ parts: [{ data: { n: 'one' } }] }) },
    error: 'RequestMalformedError',
    fields: ['message.parts[0].data.n'],
    server: { agent: testAgent(z.object({ n: z.number() })), card: testCard({ defaultInputModes: ['application/json'] }) },
  },
  {
    what: 'a push config',
    operation,
    request: { message: hello(), configuration: { taskPushNotificationConfig: { url: 'https://example.com/' } } },
    error: 'PushNotificationNotSupportedError',
  },
  { what: 'an unknown task', operation, request: { message: hello({ taskId: 'nope' }) }, error: 'TaskNotFoundError' },
  {
    what: 'an undeclared tenant',
    operation,
    request: { message: hello(), tenant: 'acme' },
    error: 'RequestMalformedError',
    fields: ['tenant'],
  },
  {
    what: "another context than the task's",
    operation,
    request: async (server) => ({ message: hello({ messageId: 'm-2', taskId: await newTask(server), contextId: 'other' }) }),
    error: 'RequestMalformedError',
    fields: ['message.contextId'],
  },
  {
    what: 'a reference to a task that does not exist',
    operation,
    request: async (server) => ({ message: hello({ messageId: 'm-2', referenceTaskIds: [await newTask(server), 'nope'] }) }),
    error: 'RequestMalformedError',
    fields: ['message.referenceTaskIds[1]'],
  },
  ...(['complete', 'fail', 'reject'] as const).map(
    (kind): RefusalCase => ({
      what: `a task that has ended by ${kind}`,
      operation,
      request: async (server) => ({ message: hello({ messageId: 'm-2', taskId: await endedTask(server, kind) }) }),
      error: 'UnsupportedOperationError',
    }),
  ),
  {
    what: 'a watcher',
    operation,
    request: async (server) => ({ message: hello({ taskId: await watchedTask(server) }) }),
    error: 'UnsupportedOperationError',
  },
  {
    what: 'too many messages that wait',
    operation,
    request: async (server) => ({ message: hello({ messageId: 'm-2', taskId: await newTask(server) }) }),
    error: 'TooFast',
    server: { maxWaiting: 1 },
  },
])

describeRefusals(SENDS)
