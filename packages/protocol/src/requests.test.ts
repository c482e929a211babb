import { describe, expect, it } from 'vitest'
import { fieldViolations } from './field-violations.js'
import type { WireSchema } from './proto-json.js'
import {
  cancelTaskRequestSchema,
  getTaskRequestSchema,
  type SendMessageRequestJson,
  sendMessageRequestSchema,
  subscribeToTaskRequestSchema,
} from './requests.js'

const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hi' }] }

function read<T>(schema: WireSchema<T>, input: unknown): T {
  return schema.parse(input)
}

function faults(schema: WireSchema<unknown>, input: unknown): readonly string[] {
  const parsed = schema.safeParse(input)
  return parsed.success ? [] : fieldViolations(parsed.error).map(({ field }) => field)
}

describe('sendMessageRequestSchema', () => {
  it('reads snake_case names and puts out camelCase, but leaves metadata and data as they are', () => {
    const request = read(sendMessageRequestSchema, {
      message: {
        message_id: 'm1',
        role: 'ROLE_USER',
        context_id: 'c1',
        reference_task_ids: ['t0'],
        parts: [{ data: { order_id: 1 }, media_type: 'application/json' }],
        metadata: { trace_id: null },
      },
      configuration: { accepted_output_modes: ['text/plain'], return_immediately: true },
    })
    expect(request).toStrictEqual({
      message: {
        messageId: 'm1',
        role: 'ROLE_USER',
        contextId: 'c1',
        referenceTaskIds: ['t0'],
        parts: [{ data: { order_id: 1 }, mediaType: 'application/json' }],
        metadata: { trace_id: null },
      },
      configuration: { acceptedOutputModes: ['text/plain'], returnImmediately: true },
    })
  })

  it('leaves out what is null, empty without presence, or unknown', () => {
    const request = read(sendMessageRequestSchema, {
      tenant: '',
      metadata: null,
      configuration: null,
      'x-foo': 1,
      message: { ...message, taskId: '', contextId: null, extensions: [], parts: [{ text: 'hi', filename: '', 'x-foo': 1 }], 'x-foo': 1 },
    })
    expect(request).toStrictEqual({ message })
  })

  it.each<[unknown, SendMessageRequestJson['configuration']]>([
    [{}, {}],
    [{ historyLength: 0 }, { historyLength: 0 }],
    [{ historyLength: '5' }, { historyLength: 5 }],
    [
      { history_length: 3, returnImmediately: false },
      { historyLength: 3, returnImmediately: false },
    ],
  ])('reads the configuration %j as %j', (input, expected) => {
    expect(read(sendMessageRequestSchema, { message, configuration: input }).configuration).toStrictEqual(expected)
  })

  it('reads an inline push configuration in its flat form', () => {
    const config = { url: 'https://example.com/hook', id: 'c', token: 't', authentication: { scheme: 'Bearer', credentials: 'x' } }
    const request = read(sendMessageRequestSchema, { message, configuration: { task_push_notification_config: { ...config, taskId: '' } } })
    expect(request.configuration?.taskPushNotificationConfig).toStrictEqual(config)
  })

  it.each<[string, unknown, readonly string[]]>([
    ['nothing', undefined, ['']],
    ['a list', [], ['']],
    ['no message', {}, ['message']],
    ['an empty message', { message: {} }, ['message.messageId', 'message.role', 'message.parts']],
    ['an empty message id', { message: { ...message, messageId: '' } }, ['message.messageId']],
    ['a message id with a control character', { message: { ...message, messageId: 'a\u0000b' } }, ['message.messageId']],
    ['a message id with half a surrogate pair', { message: { ...message, messageId: 'a\ud800' } }, ['message.messageId']],
    ['a task id that is too long', { message: { ...message, taskId: 'x'.repeat(257) } }, ['message.taskId']],
    ['an unspecified role', { message: { ...message, role: 0 } }, ['message.role']],
    ['an unknown role', { message: { ...message, role: 'user' } }, ['message.role']],
    ['no parts', { message: { ...message, parts: [] } }, ['message.parts']],
    ['a part too many', { message: { ...message, parts: Array(101).fill({ text: 'a' }) } }, ['message.parts']],
    ['too many extensions', { message: { ...message, extensions: Array(101).fill('') } }, ['message.extensions']],
    ['too many references', { message: { ...message, referenceTaskIds: Array(101).fill('') } }, ['message.referenceTaskIds']],
    ['too many modes', { message, configuration: { acceptedOutputModes: Array(101).fill('') } }, ['configuration.acceptedOutputModes']],
    ['a bad part', { message: { ...message, parts: [{ text: 'a' }, { raw: '*' }] } }, ['message.parts[1].raw']],
    ['one field under two names', { message: { ...message, taskId: 'a', task_id: 'b' } }, ['message.taskId']],
    ['metadata that is no object', { message, metadata: [] }, ['metadata']],
    ['a negative history length', { message, configuration: { historyLength: -1 } }, ['configuration.historyLength']],
    ['half a history length', { message, configuration: { historyLength: 1.5 } }, ['configuration.historyLength']],
    ['a history length in words', { message, configuration: { historyLength: 'abc' } }, ['configuration.historyLength']],
    ['a history length beyond int32', { message, configuration: { historyLength: 2 ** 31 } }, ['configuration.historyLength']],
    ['a boolean as a string', { message, configuration: { returnImmediately: 'true' } }, ['configuration.returnImmediately']],
    [
      'a push configuration without an http URL',
      { message, configuration: { taskPushNotificationConfig: { url: 'ftp://example.com' } } },
      ['configuration.taskPushNotificationConfig.url'],
    ],
  ])('refuses %s and names the field', (_, input, expected) => {
    expect(faults(sendMessageRequestSchema, input)).toStrictEqual(expected)
  })

  it('takes a hundred items in a list, and says so', () => {
    const lists = (count: number) => ({ message: { ...message, parts: Array(count).fill({ text: 'a' }) } })
    expect(read(sendMessageRequestSchema, lists(100)).message.parts).toHaveLength(100)
    const { error } = sendMessageRequestSchema.safeParse(lists(101))
    expect(fieldViolations(error ?? expect.fail())).toStrictEqual([{ field: 'message.parts', description: 'Give at most 100 items.' }])
  })

  it('says which numbers an int32 takes', () => {
    const { error } = sendMessageRequestSchema.safeParse({ message, configuration: { historyLength: 2 ** 31 } })
    expect(fieldViolations(error ?? expect.fail())[0]?.description).toBe('Give an integer from 0 to 2147483647.')
  })

  it('takes nothing from a prototype', () => {
    const hostile: unknown = JSON.parse('{"__proto__":{"message":{"messageId":"m","role":1,"parts":[{"text":""}]}},"constructor":{"x":1}}')
    expect(faults(sendMessageRequestSchema, hostile)).toStrictEqual(['message'])
    const request = read(sendMessageRequestSchema, {
      message: JSON.parse(`{"messageId":"m","role":2,"parts":[{"text":"a"}],"__proto__":{"taskId":"t"}}`),
    })
    expect(Object.hasOwn(request.message, '__proto__')).toBe(false)
    expect(request.message.taskId).toBeUndefined()
  })
})

describe('the schemas that take a task id', () => {
  it.each([getTaskRequestSchema, cancelTaskRequestSchema, subscribeToTaskRequestSchema])('require one', (schema) => {
    expect(faults(schema, {})).toStrictEqual(['id'])
    expect(faults(schema, { id: '' })).toStrictEqual(['id'])
    expect(read(schema, { id: 't1', tenant: '', other: 1 })).toStrictEqual({ id: 't1' })
  })

  it('read the strings of a query too', () => {
    expect(read(getTaskRequestSchema, { id: 't1', history_length: '0' })).toStrictEqual({ id: 't1', historyLength: 0 })
    expect(faults(getTaskRequestSchema, { id: 't1', historyLength: '' })).toStrictEqual(['historyLength'])
  })
})
