import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fieldViolations } from './field-violations.js'
import { sendMessageRequestSchema } from './requests.js'

function violations(schema: z.ZodType, input: unknown, root?: string) {
  return fieldViolations(schema.safeParse(input).error ?? expect.fail(), root)
}

describe('fieldViolations', () => {
  it('puts the faults of a foreign schema into plain words', () => {
    const order = z.strictObject({
      region: z.string().min(3),
      count: z.number().max(10),
      mode: z.enum(['fast', 'safe']),
      tags: z.array(z.string()).min(1),
      mail: z.email(),
    })
    const input = { region: 'x', count: 11, mode: 'hunter2', tags: [], mail: 'hunter2', extra: 1 }
    expect(violations(order, input, 'message.parts[0].data')).toStrictEqual([
      { field: 'message.parts[0].data.region', description: 'Give at least 3 characters.' },
      { field: 'message.parts[0].data.count', description: 'Give at most 10.' },
      { field: 'message.parts[0].data.mode', description: 'Give fast or safe.' },
      { field: 'message.parts[0].data.tags', description: 'Give at least 1 items.' },
      { field: 'message.parts[0].data.mail', description: 'Give a value of the right form.' },
      { field: 'message.parts[0].data.extra', description: 'Leave this field out: it is not known here.' },
    ])
  })

  it('names the kind that is wanted', () => {
    expect(violations(z.object({ a: z.string(), b: z.int() }), { b: 1.5 })).toStrictEqual([
      { field: 'a', description: 'Give a string.' },
      { field: 'b', description: 'Give an integer.' },
    ])
  })

  it('keeps the words that the author of a schema chose', () => {
    expect(violations(z.object({ a: z.string({ error: 'Which region?' }) }), {})).toStrictEqual([
      { field: 'a', description: 'Which region?' },
    ])
  })

  it('never repeats a value of the request', () => {
    const push = { url: 'hunter2', token: ['hunter2'], authentication: { scheme: '', credentials: { hunter2: 'hunter2' } } }
    const input = {
      message: { messageId: { a: 'hunter2' }, role: 'hunter2', parts: 'hunter2' },
      configuration: { taskPushNotificationConfig: push },
    }
    const found = violations(sendMessageRequestSchema, input)
    expect(found).toHaveLength(7)
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })

  it('stays small however much is wrong', () => {
    const message = { messageId: 'm', role: 1, parts: Array.from({ length: 100 }, () => ({})) }
    expect(violations(sendMessageRequestSchema, { message })).toHaveLength(20)
    const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, 0]))
    expect(violations(z.strictObject({}), unknown)).toHaveLength(20)
  })

  it('cuts a field that is longer than 200 characters, and no character in two', () => {
    const key = (name: string) => violations(z.strictObject({}), { [name]: 0 }, 'data')[0]?.field
    expect(key('k'.repeat(195))).toBe(`data.${'k'.repeat(195)}`)
    expect(key('k'.repeat(196))).toBe(`data.${'k'.repeat(194)}…`)
    expect(key(`${'k'.repeat(193)}😀😀`)).toBe(`data.${'k'.repeat(193)}…`)
  })
})
