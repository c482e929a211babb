import { expect, test } from 'vitest'
import { DEFAULT_EXECUTION_POLICY } from './contract/index.js'
import { resolvePolicy } from './policy.js'

test('fills in what is unset', () => {
  expect(resolvePolicy({ parkedMs: 5 })).toEqual({ ...DEFAULT_EXECUTION_POLICY, parkedMs: 5 })
})

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])('refuses %d as a time', (turnTimeoutMs) => {
  expect(() => resolvePolicy({ turnTimeoutMs })).toThrow(
    new TypeError(`policy.turnTimeoutMs must be a whole number of milliseconds from 1 to 2147483647; it is ${turnTimeoutMs}`),
  )
})
