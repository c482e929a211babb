import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { messageSchema } from './message.js'
import { partSchema } from './part.js'
import { pushConfigSchema } from './push-config.js'
import { createPushConfigRequestSchema } from './push-config-requests.js'
import { sendMessageRequestSchema } from './requests.js'
import { listTasksResponseSchema, streamResponseSchema, taskSchema } from './responses.js'

const status = { state: 'TASK_STATE_WORKING', timestamp: '2026-01-01T00:00:00.000Z' }
const task = { id: 't', contextId: 'c', status }
const artifact = { artifactId: 'a', parts: Array(101).fill({ text: 'x' }) }

describe('the schemas of responses', () => {
  it.each([
    { task },
    { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x' }] } },
    { statusUpdate: { taskId: 't', contextId: 'c', status } },
    { artifactUpdate: { taskId: 't', contextId: 'c', artifact, append: true, lastChunk: false } },
  ])('take an event with one of its fields', (event) => {
    expect(streamResponseSchema.parse(event)).toStrictEqual(event)
  })

  it.each([{}, { task, message: null, statusUpdate: { taskId: 't', contextId: 'c', status } }, { kind: 'task' }])(
    'refuse an event with none or several',
    (event) => {
      expect(streamResponseSchema.safeParse(event).success).toBe(false)
    },
  )

  it('take the four fields of a list, and miss every one of them', () => {
    const page = { tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1 }
    expect(listTasksResponseSchema.parse(page)).toStrictEqual(page)
    for (const name of Object.keys(page)) expect(listTasksResponseSchema.safeParse({ ...page, [name]: undefined }).success).toBe(false)
  })
})

describe('the JSON Schema of the wire', () => {
  const jsonSchema = (schema: z.ZodType) =>
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as z.core.JSONSchema.ObjectSchema

  it('says what a message must have, and how much of it', () => {
    expect(jsonSchema(messageSchema)).toMatchObject({
      type: 'object',
      required: ['messageId', 'role', 'parts'],
      properties: {
        messageId: { type: 'string', minLength: 1, maxLength: 256 },
        role: { type: 'string', enum: ['ROLE_USER', 'ROLE_AGENT'] },
        parts: { type: 'array', minItems: 1, maxItems: 100 },
      },
    })
  })

  it('says which identifiers may be empty, as unset', () => {
    const empty = { type: 'string', minLength: 0, maxLength: 256 }
    expect(jsonSchema(sendMessageRequestSchema).properties).toMatchObject({ tenant: empty })
    expect(jsonSchema(messageSchema).properties).toMatchObject({ contextId: empty, taskId: empty })
    expect(jsonSchema(pushConfigSchema).properties).toMatchObject({ tenant: empty, id: empty, taskId: empty })
    expect(jsonSchema(createPushConfigRequestSchema).properties).toMatchObject({ tenant: empty, id: empty })
  })

  it('says that a part has one content, and a number its range', () => {
    expect(jsonSchema(partSchema)['oneOf']).toStrictEqual(['text', 'raw', 'url', 'data'].map((name) => ({ required: [name] })))
    expect(jsonSchema(sendMessageRequestSchema).properties).toMatchObject({
      configuration: { properties: { historyLength: { type: 'integer', minimum: 0, maximum: 2147483647 } } },
    })
  })

  it('leaves open what a later version may add', () => {
    expect(JSON.stringify(jsonSchema(taskSchema))).not.toContain('additionalProperties')
  })
})
