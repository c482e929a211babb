import fc from 'fast-check'

const pick = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)

/** The well-formed requests that are spoiled, by method. */
export function wireRequests(taskIds: readonly string[]): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  const id = pick(...taskIds, ...taskIds, 'nope')
  const message = fc.record(
    {
      messageId: fc.uuid(),
      role: pick<unknown>('ROLE_USER', 1),
      parts: fc.array(
        pick(
          { text: 'hi' },
          { data: { a: [1] } },
          { raw: 'aGk=', filename: 'a' },
          { url: 'https://example.com/', mediaType: 'text/plain' },
        ),
        { minLength: 1, maxLength: 3 },
      ),
      contextId: pick('', '', '', 'c'),
      taskId: fc.oneof({ weight: 3, arbitrary: pick('') }, { weight: 1, arbitrary: id }),
      metadata: pick({}, { participantId: 'x' }),
      extensions: pick([], ['urn:x']),
      referenceTaskIds: pick([], ['nope']),
    },
    { requiredKeys: ['messageId', 'role', 'parts'] },
  )
  const configuration = fc.record(
    {
      returnImmediately: fc.boolean(),
      historyLength: pick<unknown>(0, 1, '2'),
      acceptedOutputModes: pick([], ['text/plain']),
      taskPushNotificationConfig: pick(null, null, null, { url: 'https://example.com/' }),
    },
    { requiredKeys: [] },
  )
  const tenant = pick('', '', '', 'acme')
  const send = fc.record({ message, configuration, tenant, metadata: pick({}) }, { requiredKeys: ['message', 'configuration'] })
  const ofTask = fc.record({ id, tenant, historyLength: pick(0, 1), metadata: pick({}) }, { requiredKeys: ['id'] })
  const config = fc.record(
    { taskId: id, id: pick('c', 'd'), url: pick('https://example.com/'), pageSize: pick(1), tenant, token: pick('t') },
    { requiredKeys: ['taskId', 'id', 'url'] },
  )
  const list = fc.record(
    {
      tenant,
      contextId: pick('c'),
      status: pick<unknown>('TASK_STATE_WORKING', 3),
      pageSize: pick(1, 100),
      pageToken: pick('', '', '', 'a.b'),
      historyLength: pick(0),
      statusTimestampAfter: pick('2026-01-01T00:00:00Z'),
      includeArtifacts: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  return {
    SendMessage: send,
    SendStreamingMessage: send,
    GetTask: ofTask,
    ListTasks: list,
    CancelTask: ofTask,
    SubscribeToTask: ofTask,
    CreateTaskPushNotificationConfig: config,
    GetTaskPushNotificationConfig: config,
    ListTaskPushNotificationConfigs: config,
    DeleteTaskPushNotificationConfig: config,
    GetExtendedAgentCard: pick({}),
  }
}
