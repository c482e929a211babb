import { expect, test, vi } from 'vitest'
import type { StreamEvent } from './operations/call.js'
import { openScope } from './scope.js'
import { sseResponse } from './sse.js'

const OPTIONS = { encode: ({ payload }: StreamEvent) => JSON.stringify(payload), encodeError: String, keepAliveMs: 15_000, headers: {} }

/** A stream that has nothing to say until it is returned. */
function silence() {
  const returned = vi.fn()
  const events: AsyncIterable<StreamEvent> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        returned()
        return { done: true, value: undefined }
      },
    }),
  }
  return { events, returned }
}

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length

test('ends with its scope, also where nobody reads, and leaves no timer', async () => {
  const { events, returned } = silence()
  const before = timers()
  const request = new AbortController()
  const response = sseResponse(events, { ...OPTIONS, scope: openScope(request.signal) })
  expect(timers()).toBe(before + 1)
  request.abort()
  expect(timers()).toBe(before)
  expect(returned).toHaveBeenCalledOnce()
  expect(await response.text()).toBe('')
})

test('ends its scope when the body is canceled', async () => {
  const { events, returned } = silence()
  const scope = openScope(new AbortController().signal)
  await sseResponse(events, { ...OPTIONS, scope }).body?.cancel()
  expect(scope.signal.aborted).toBe(true)
  expect(returned).toHaveBeenCalledOnce()
})
