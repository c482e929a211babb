import { expect } from 'vitest'
import { fresh, says } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError, violations } from '../wire/expect-error.js'

scenario('the extended card, which is not declared, is an unsupported operation', ['CARD-08', 'ERR-04'], async ({ client, binding }) => {
  expectError(await client.refusal('GetExtendedAgentCard'), binding, 'UNSUPPORTED_OPERATION')
})

scenario(
  'where no push notifications are declared, all four operations are refused before the task is looked up',
  ['PUSH-01', 'ERR-03'],
  { profile: 'bare' },
  async ({ client, binding }) => {
    const taskId = fresh('none')
    const refusals = [
      await client.refusal('CreateTaskPushNotificationConfig', { taskId, url: 'https://example.com/hook' }),
      await client.refusal('GetTaskPushNotificationConfig', { taskId, id: 'c' }),
      await client.refusal('ListTaskPushNotificationConfigs', { taskId }),
      await client.refusal('DeleteTaskPushNotificationConfig', { taskId, id: 'c' }),
      await client.refusal('SendMessage', {
        ...says('hello'),
        configuration: { taskPushNotificationConfig: { url: 'https://example.com/hook' } },
      }),
    ]
    for (const refusal of refusals) expectError(refusal, binding, 'PUSH_NOTIFICATION_NOT_SUPPORTED')
  },
)

scenario('what is no JSON, and what is no request, are told apart', ['ERR-10', 'ERR-11'], async ({ client, binding }) => {
  for (const body of ['{', '{"a":', 'hello', '']) expectError(await client.refusal('SendMessage', {}, { body }), binding, 'PARSE_ERROR')
  for (const body of ['[]', '1', 'null', '"text"'])
    expectError(await client.refusal('SendMessage', {}, { body }), binding, 'INVALID_REQUEST')
})

scenario('all that is wrong is named at once', ['ERR-13'], async ({ client, binding }) => {
  const request = { message: { parts: [{ text: 1 }], role: 'ROLE_SOMEONE' }, configuration: { historyLength: -1 } }
  const error = await client.refusal('SendMessage', request)
  expectError(error, binding, 'INVALID_PARAMS')
  expect(violations(error).toSorted()).toEqual([
    'configuration.historyLength',
    'message.messageId',
    'message.parts[0].text',
    'message.role',
  ])
})

scenario('of several things that are wrong, the first in the order is told', ['ERR-21'], async ({ client, binding }) => {
  const wrongVersion = { headers: { 'A2A-Version': '9.9', 'A2A-Extensions': 'urn:none' } }
  expectError(await client.refusal('GetTask', { id: fresh('none'), historyLength: -1 }, wrongVersion), binding, 'VERSION_NOT_SUPPORTED')
  const wrongExtension = { headers: { 'A2A-Extensions': 'urn:none' } }
  expectError(await client.refusal('GetTask', { id: fresh('none'), historyLength: -1 }, wrongExtension), binding, 'UNSUPPORTED_OPERATION')
  expectError(await client.refusal('GetTask', { id: fresh('none'), historyLength: -1, tenant: 'none' }), binding, 'INVALID_PARAMS', [
    'historyLength',
  ])
  expectError(await client.refusal('GetTask', { id: fresh('none'), tenant: 'none' }), binding, 'INVALID_PARAMS', ['tenant'])
})

scenario('another content type is refused before anything is read', ['ERR-21', 'ERR-05'], async ({ client, binding }) => {
  const error = await client.refusal('SendMessage', {}, { headers: { 'Content-Type': 'text/plain', 'A2A-Version': '9.9' }, body: '{' })
  expectError(error, binding, 'CONTENT_TYPE_NOT_SUPPORTED')
})
