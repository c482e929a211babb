import { describe, expect, test, vi } from 'vitest'
import { createOpenRequests, openScope } from './scope.js'

describe('a scope', () => {
  test('ends with its parent, once', () => {
    const parent = new AbortController()
    const onClose = vi.fn()
    const scope = openScope(parent.signal, 0, onClose)
    parent.abort()
    scope.close()
    expect([scope.signal.aborted, onClose.mock.calls.length]).toEqual([true, 1])
  })

  test('ends before its parent, and leaves nothing on it', () => {
    const parent = new AbortController()
    const remove = vi.spyOn(parent.signal, 'removeEventListener')
    const scope = openScope(parent.signal)
    scope.close()
    expect([scope.signal.aborted, parent.signal.aborted, remove.mock.calls.length]).toEqual([true, false, 1])
  })

  test('ends after its time', async () => {
    const scope = openScope(new AbortController().signal, 1)
    await new Promise((resolve) => scope.signal.addEventListener('abort', resolve))
    expect(scope.signal.aborted).toBe(true)
  })

  test('has ended where its parent has', () => {
    expect(openScope(AbortSignal.abort(), 1000).signal.aborted).toBe(true)
  })
})

describe('the open requests', () => {
  test('end together, but for those that have ended', () => {
    const requests = createOpenRequests()
    const [open, closed] = [requests.open(new AbortController().signal), requests.open(new AbortController().signal)]
    closed.close()
    requests.closeAll()
    expect([open.signal.aborted, closed.signal.aborted]).toEqual([true, true])
  })

  test('take none afterwards', () => {
    const requests = createOpenRequests()
    requests.closeAll()
    expect(() => requests.open(new AbortController().signal)).toThrow('stopping')
  })

  test('take one whose client has gone already', () => {
    expect(createOpenRequests().open(AbortSignal.abort()).signal.aborted).toBe(true)
  })
})
