import { StoreUnavailableError } from '@moorage/store'
import { describe, expect, it } from 'vitest'
import { serializeError } from './logger.js'

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
})
