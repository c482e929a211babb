import { describe, expect, test } from 'vitest'
import { toStepValue } from './step-value.js'

class Order {
  readonly id = 1
}

const loop: Record<string, unknown> = {}
loop['self'] = loop

describe('toStepValue', () => {
  test('keeps JSON as it is', () => {
    const value = { id: 7, tags: ['a', null, true], nested: { text: '' } }
    expect(toStepValue('load', value)).toEqual(value)
  })

  test('keeps undefined as null, and leaves out fields that are undefined', () => {
    expect(toStepValue('load', undefined)).toBeNull()
    expect(toStepValue('load', { id: 1, note: undefined })).toEqual({ id: 1 })
  })

  test.each([
    ['a date', { at: new Date(0) }, 'turn.step("load"): the value.at is an instance of Date'],
    ['an instance of a class', [new Order()], 'turn.step("load"): the value[0] is an instance of Order'],
    ['a function', () => 1, 'turn.step("load"): the value is a function'],
    ['a bigint', 1n, 'turn.step("load"): the value is a bigint'],
    ['a number that JSON does not have', { price: Number.NaN }, 'turn.step("load"): the value.price is NaN'],
    ['an undefined item', [undefined], 'turn.step("load"): the value[0] is a undefined'],
    ['a value that contains itself', loop, 'nested too deeply, or contains itself'],
  ])('refuses %s and says where it is', (_, value, message) => {
    expect(() => toStepValue('load', value)).toThrow(message)
  })
})
