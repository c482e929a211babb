import { describe, expect, test } from 'vitest'
import { InvalidParamsError } from '../errors.js'
import { checkComplexity } from './complexity.js'

const deep = (levels: number, leaf: unknown = 'x'): unknown => (levels === 0 ? leaf : [deep(levels - 1, leaf)])

function fieldOf(request: unknown): string | undefined {
  try {
    checkComplexity(request)
    return undefined
  } catch (error) {
    if (error instanceof InvalidParamsError) return error.violations[0]?.field
    throw error
  }
}

describe('the complexity of a request', () => {
  test('may be 64 levels deep', () => {
    expect(fieldOf({ message: { metadata: { a: deep(61) } } })).toBeUndefined()
    expect(fieldOf({ message: { metadata: { a: deep(62) } } })).toBe('message.metadata.a')
  })

  test('is named by where it begins', () => {
    expect(fieldOf({ message: { parts: [{ text: '' }, { data: deep(80) }] } })).toBe('message.parts[1]')
    expect(fieldOf(deep(80))).toBe('[0][0][0]')
  })

  test('does not end with the stack for a request of a hundred thousand levels', () => {
    const nested = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(fieldOf({ id: nested })).toBe('id[0][0]')
  })

  test('holds no number that a double cannot', () => {
    expect(fieldOf(JSON.parse('{"message":{"metadata":{"a":[1,{"b":-1e400}]}}}'))).toBe('message.metadata.a[1].b')
    expect(fieldOf({ pageSize: 1.7976931348623157e308 })).toBeUndefined()
  })

  test('is named in 200 characters, whatever its keys are', () => {
    expect(fieldOf({ ['k'.repeat(1000)]: Number.POSITIVE_INFINITY })).toHaveLength(200)
  })
})
