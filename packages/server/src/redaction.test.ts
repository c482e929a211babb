import { describe, expect, it } from 'vitest'
import { BINDINGS, type Fields } from './testing/bindings.js'
import { auditOf } from './testing/database.js'
import { PUSHING } from './testing/push.js'
import { startTestServer } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

const KEY = ['sk', 'proj', 'Zk3vQ9pL7wXr2TbN8sYd4HfJ'].join('-')
const CONFIGURED = 'correct horse battery 4711'
const configuration = { returnImmediately: true }

describe.each(BINDINGS)('a message with secrets, over $name', (binding) => {
  it('is recorded and answered without them, wherever they are', async () => {
    const server = await startTestServer({ secrets: [CONFIGURED] })
    const message = hello({
      metadata: { note: KEY },
      parts: [
        { text: `use ${KEY}, or ${CONFIGURED}`, metadata: { password: 'plain' } },
        { text: 'a file', filename: KEY },
      ],
    })
    const answer = await binding.result(await binding.call(server, 'sendMessage', { message, configuration, metadata: { note: KEY } }))
    const { id } = answer['task'] as { id: string }
    const everything = JSON.stringify([answer, await server.store.read(id, 0, 10), await server.store.get(id)])
    expect(everything).toContain('use [redacted], or [redacted]')
    for (const secret of [KEY, CONFIGURED, 'plain']) expect(everything).not.toContain(secret)
  })

  it('is the same message again when it is sent again', async () => {
    const server = await startTestServer()
    const send = async (text: string) => {
      const message = hello({ parts: [{ text }] })
      return (await binding.result(await binding.call(server, 'sendMessage', { message, configuration })))['task'] as { id: string }
    }
    expect((await send(KEY)).id).toBe((await send(KEY)).id)
  })
})

const message = (fields: Fields) => ({ message: hello(fields), configuration })
const push = { url: 'https://hook.example/x' }
const REFUSED = [
  ['sendMessage', message({ messageId: KEY }), 'message.messageId'],
  ['sendMessage', message({ taskId: KEY }), 'message.taskId'],
  ['sendMessage', message({ contextId: KEY }), 'message.contextId'],
  ['sendMessage', message({ referenceTaskIds: ['t', KEY] }), 'message.referenceTaskIds[1]'],
  ['sendMessage', message({ metadata: { participantId: KEY } }), 'message.metadata.participantId'],
  [
    'sendMessage',
    { ...message({}), configuration: { taskPushNotificationConfig: { ...push, id: KEY } } },
    'configuration.taskPushNotificationConfig.id',
  ],
  ['sendStreamingMessage', message({ messageId: KEY }), 'message.messageId'],
  ['getTask', { id: KEY }, 'id'],
  ['listTasks', { contextId: KEY }, 'contextId'],
  ['cancelTask', { id: KEY }, 'id'],
  ['subscribeToTask', { id: KEY }, 'id'],
  ['createTaskPushNotificationConfig', { taskId: 't', ...push, id: KEY }, 'id'],
  ['getTaskPushNotificationConfig', { taskId: KEY, id: 'c' }, 'taskId'],
  ['listTaskPushNotificationConfigs', { taskId: KEY }, 'taskId'],
  ['deleteTaskPushNotificationConfig', { taskId: 't', id: KEY }, 'id'],
] as const

describe.each(BINDINGS)('an id that looks like a secret, over $name', (binding) => {
  it('is refused by the name of its field, which is not repeated', async () => {
    const server = await startTestServer(PUSHING)
    for (const [operation, request, field] of REFUSED) {
      const response = await binding.call(server, operation, request)
      const text = await response.clone().text()
      const { details } = await binding.error(response)
      expect(details[1], `${operation} ${field}`).toMatchObject({
        fieldViolations: [{ field, description: expect.stringContaining('secret') }],
      })
      expect(text).not.toContain(KEY)
    }
    const named = await binding.error(await binding.call(server, 'listTasks', {}, { headers: { 'X-Participant-Id': KEY } }))
    expect(named.details[1]).toMatchObject({ fieldViolations: [{ field: 'X-Participant-Id' }] })
    expect(server.wakes).toEqual([])
  })

  it('leaves a row in the audit without it, and nothing else', async () => {
    const server = await startTestServer(PUSHING)
    const lines = await auditOf(server, async () => {
      await binding.call(server, 'sendMessage', message({ messageId: KEY, taskId: 't' }))
      await binding.call(server, 'cancelTask', { id: KEY })
      await binding.call(server, 'listTasks', { contextId: KEY })
      await binding.call(server, 'deleteTaskPushNotificationConfig', { taskId: 't', id: KEY })
    })
    const line = { participant: '', outcome: 'refused', reason: 'secret-id' }
    expect(lines).toMatchObject([
      { ...line, operation: 'message', task_id: 't' },
      { ...line, operation: 'cancel', task_id: null },
      { ...line, operation: 'delete push config', task_id: 't' },
    ])
  })
})
