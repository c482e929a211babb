import { expect, onTestFinished, test, vi } from 'vitest'
import type { StreamEvent } from './operations/call.js'
import { openScope, TOO_SLOW } from './scope.js'
import { sseResponse } from './sse.js'

const OPTIONS = {
  encode: ({ payload }: StreamEvent) => JSON.stringify(payload),
  encodeError: String,
  keepAliveMs: 15_000,
  headers: {},
  disconnect: () => false,
}

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

test('whose scope has ended before it began is empty, and leaves nothing', async () => {
  const { events, returned } = silence()
  const before = timers()
  const scope = openScope(new AbortController().signal)
  scope.close()
  const response = sseResponse(events, { ...OPTIONS, scope })
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

/** A stream whose next event is there whenever it is asked for. */
async function* numbers(): AsyncGenerator<StreamEvent, void, undefined> {
  for (let seq = 1; ; seq++) yield { seq, payload: { task: { id: `${seq}` } } as StreamEvent['payload'] }
}

test('that is cut gives what is on its way, says where to go on, and ends', async () => {
  const before = timers()
  const scope = openScope(new AbortController().signal)
  const disconnect = vi.fn(() => false)
  const reader = sseResponse(numbers(), { ...OPTIONS, scope, disconnect })
    .body?.pipeThrough(new TextDecoderStream())
    .getReader()
  let text = (await reader?.read())?.value ?? ''
  scope.close(TOO_SLOW)
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) text += read.value
  const last = [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1]
  expect(text.endsWith(`: this client takes too little of what comes; go on with Last-Event-ID: ${last}\n\n`)).toBe(true)
  expect(timers()).toBe(before)
  expect(disconnect).not.toHaveBeenCalled()
})

test('that is cut and still not taken ends with its connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const scope = openScope(new AbortController().signal)
  const disconnect = vi.fn(() => true)
  sseResponse(numbers(), { ...OPTIONS, scope, disconnect })
  scope.close(TOO_SLOW)
  await vi.advanceTimersByTimeAsync(OPTIONS.keepAliveMs - 1)
  expect(disconnect).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(disconnect).toHaveBeenCalledOnce()
})

test('that is cut where nobody can end the connection fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const scope = openScope(new AbortController().signal)
  const response = sseResponse(numbers(), { ...OPTIONS, scope })
  scope.close(TOO_SLOW)
  await vi.advanceTimersByTimeAsync(OPTIONS.keepAliveMs)
  await expect(response.text()).rejects.toThrow('takes too little')
})
