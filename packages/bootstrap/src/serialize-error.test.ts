import { StoreUnavailableError } from '@moorage/store'
import { describe, expect, it } from 'vitest'
import { serializeError } from './serialize-error.js'

const LONG = 'x'.repeat(5_000_000)

describe('serializeError', () => {
  it('tells an error with its stack, without what tsx adds to the names of modules', () => {
    const error = new TypeError('no')
    error.stack = 'TypeError: no\n    at turn (file:///agent.ts?namespace=1f-2e:4:9)'
    expect(serializeError(error)).toMatchObject({
      type: 'TypeError',
      message: 'no',
      stack: expect.stringContaining('(file:///agent.ts:4:9)'),
    })
  })

  it.each([
    ['a store that is away', new StoreUnavailableError('The database does not answer')],
    ['a connection that is refused', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
  ])('tells %s without a stack', (_what, error) => {
    expect(serializeError(error)).toEqual({ type: error.constructor.name, message: error.message })
  })

  it('cuts a long message, and keeps where it was thrown', () => {
    const error = new Error('E'.repeat(1_000_000))
    expect(serializeError(error)).toEqual({
      type: 'Error',
      message: `${'E'.repeat(8192)}… (991808 characters more)`,
      stack: expect.stringMatching(/^Error: E{8192}… \(991808 characters more\)\n {4}at .*serialize-error\.test/),
    })
  })

  it('cuts a long stack', () => {
    const error = Object.assign(new Error('no'), { stack: 's'.repeat(20_000) })
    expect(serializeError(error)).toMatchObject({ message: 'no', stack: `${'s'.repeat(16_384)}… (3616 characters more)` })
  })

  it('tells causes, each with its stack, properties and the errors of an AggregateError', () => {
    const error = Object.assign(new AggregateError([new TypeError('one')], 'no', { cause: new Error('why') }), {
      order: { id: 7, at: new Date(0) },
    })
    expect(serializeError(error)).toEqual({
      type: 'AggregateError',
      message: 'no: why',
      stack: expect.stringMatching(/^AggregateError: no\n[\s\S]*\ncaused by: Error: why\n/),
      order: { id: 7, at: '1970-01-01T00:00:00.000Z' },
      aggregateErrors: [{ type: 'TypeError', message: 'one', stack: expect.stringContaining('TypeError: one\n') }],
    })
  })

  it.each([
    ['a long cause', new Error('no', { cause: new Error(LONG, { cause: new Error(LONG) }) })],
    ['many causes', Array.from({ length: 1000 }).reduce<Error>((cause) => new Error(LONG.slice(0, 9000), { cause }), new Error('first'))],
    ['causes in a circle', circle()],
    ['a long property', Object.assign(new Error('no'), { body: LONG })],
    [
      'many properties',
      Object.assign(new Error('no'), Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`key ${key}`, key]))),
    ],
    ['a property with a long name', Object.assign(new Error('no'), { [LONG]: 1 })],
    ['many errors in one', new AggregateError(Array.from({ length: 10_000 }, () => new Error(LONG.slice(0, 9000))))],
    ['an outage that says much', Object.assign(new Error(LONG), { name: 'AbortError' })],
    ['a thrown text', LONG],
    ['a thrown object', { deep: { body: LONG } }],
    ['a thrown array', Array.from({ length: 1_000_000 }).fill(1)],
    ['thrown bytes', Buffer.alloc(5_000_000)],
    [
      'what contains itself',
      (() => {
        const self: unknown[] = []
        self.push(self, self)
        return self
      })(),
    ],
  ])('bounds %s', (_what, thrown) => {
    expect(JSON.stringify(serializeError(thrown)).length).toBeLessThan(64 * 1024)
  })

  it.each([
    ['a frozen error', Object.freeze(new Error('no')), { message: 'no' }],
    [
      'an error whose message is no text',
      Object.assign(new Error('no'), { message: { code: 7 }, stack: undefined }),
      { type: 'Error', stack: '' },
    ],
    [
      'a property that cannot be read',
      Object.defineProperty(new Error('no'), 'body', { enumerable: true, get: fail }),
      { type: 'unreadable' },
    ],
  ])('survives %s', (_what, error, told) => {
    expect(serializeError(error)).toMatchObject(told)
  })
})

function circle(): Error {
  const error = new Error('no')
  error.cause = new Error('why', { cause: error })
  return error
}

function fail(): never {
  throw new Error('unreadable')
}
