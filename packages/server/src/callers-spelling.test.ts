import { describe, expect, test } from 'vitest'
import { inCallersSpelling } from './callers-spelling.js'
import { BINDINGS, type Fields } from './testing/bindings.js'
import { startTestServer } from './testing/test-server.js'

const spelled = (field: string, request: unknown) => inCallersSpelling([{ field, description: '' }], request)[0]?.field

test.each<[string, unknown, string]>([
  ['message.taskId', { message: { task_id: '' } }, 'message.task_id'],
  ['message.taskId', { message: { taskId: '' } }, 'message.taskId'],
  ['message.taskId', { message: { taskId: '', task_id: '' } }, 'message.taskId'],
  ['message.messageId', { message: {} }, 'message.messageId'],
  [
    'configuration.taskPushNotificationConfig.url',
    { configuration: { task_push_notification_config: {} } },
    'configuration.task_push_notification_config.url',
  ],
  ['message.parts[1].mediaType', { message: { parts: [{}, { media_type: 1 }] } }, 'message.parts[1].media_type'],
  ['message.parts[0].data.orderId', { message: { parts: [{ data: { order_id: 1 } }] } }, 'message.parts[0].data.orderId'],
  ['message.metadata.aB.cD', { message: { metadata: { a_b: { c_d: 1 } } } }, 'message.metadata.aB.cD'],
  ['', null, ''],
  ['pageSize', [], 'pageSize'],
  ['constructor.pageSize', {}, 'constructor.pageSize'],
])('%s of %j is %s', (field, request, expected) => {
  expect(spelled(field, request)).toBe(expected)
})

describe.each(BINDINGS)('the fields of a refusal over $name', (binding) => {
  test.each<['sendMessage' | 'listTasks' | 'getTask', Fields, readonly string[]]>([
    ['sendMessage', { message: { message_id: 1, role: 'ROLE_USER', parts: [{ text: 'x' }] } }, ['message.message_id']],
    [
      'sendMessage',
      { message: { message_id: 'm', role: 'ROLE_USER', parts: [{ text: 'x', media_type: 1 }] } },
      ['message.parts[0].media_type'],
    ],
    ['listTasks', { page_size: 0, pageToken: '' }, ['page_size']],
    ['listTasks', { page_token: 'forged' }, ['page_token']],
    ['getTask', { id: 'nope', history_length: 'x' }, ['history_length']],
  ])('are spelled as in %s %j', async (operation, request, fields) => {
    const { details } = await binding.error(await binding.call(await startTestServer(), operation, request))
    const violations = details.flatMap((detail) => (detail['fieldViolations'] as { field: string }[] | undefined) ?? [])
    expect(violations.map(({ field }) => field)).toEqual(fields)
  })
})
