import { describe, expect, it } from 'vitest'
import { fieldViolations } from './field-violations.js'
import { partSchema } from './part.js'

describe('partSchema', () => {
  it.each([
    { text: '' },
    { url: 'https://example.com/a' },
    { data: null },
    { data: [] },
    { data: 'text' },
    { data: { a_b: null } },
    { raw: '' },
  ])('takes %j as it is', (part) => {
    expect(partSchema.parse(part)).toStrictEqual(part)
  })

  it.each([
    ['standard and padded', '+/8=', '+/8='],
    ['without padding', '+/8', '+/8='],
    ['url-safe', '-_8', '+/8='],
    ['url-safe and padded', '-_8=', '+/8='],
    ['of whole groups', 'AAAA', 'AAAA'],
    ['of one byte', 'AA', 'AA=='],
  ])('puts base64 %s out as standard base64', (_, raw, expected) => {
    expect(partSchema.parse({ raw })).toStrictEqual({ raw: expected })
  })

  it.each(['A', 'AAAAA', 'AA=', 'AAA==', 'AAAA=', '====', 'A A=', 'AA==\n', 'ä'])('refuses %j as bytes', (raw) => {
    expect(fieldViolations(partSchema.safeParse({ raw }).error ?? expect.fail())).toStrictEqual([
      { field: 'raw', description: 'Give the bytes as base64.' },
    ])
  })

  it.each([{}, { text: null }, { text: 'a', data: null }, { raw: 'AAAA', url: 'https://example.com' }, { filename: 'a.txt' }])(
    'refuses %j, which is not exactly one content',
    (part) => {
      expect(fieldViolations(partSchema.safeParse(part).error ?? expect.fail(), 'message.parts[0]')).toStrictEqual([
        { field: 'message.parts[0]', description: 'Give exactly one of text, raw, url and data.' },
      ])
    },
  )
})
