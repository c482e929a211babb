import { describe, expect, test } from 'vitest'
import { RunFence, StoppedError } from './run-fence.js'

describe('RunFence', () => {
  test('hands on what the work comes to while it is down', async () => {
    const fence = new RunFence()
    expect(await fence.race(Promise.resolve('done'))).toEqual({ value: 'done' })
    await expect(fence.race(Promise.reject(new Error('own fault')))).rejects.toThrow('own fault')
    expect(() => fence.check()).not.toThrow()
  })

  test('waits no longer for work that never ends', async () => {
    const fence = new RunFence()
    const raced = fence.race(new Promise(() => {}))
    fence.raise('terminal')
    expect(await raced).toBeUndefined()
    expect(fence.signal.reason).toBeInstanceOf(StoppedError)
  })

  test('does not take the answer of code to being stopped for an error of its own', async () => {
    const fence = new RunFence()
    const work = new Promise((_, reject) => fence.signal.addEventListener('abort', () => reject(fence.signal.reason)))
    const raced = fence.race(work)
    fence.raise('shutdown')
    expect(await raced).toBeUndefined()
  })

  test('keeps the first reason', () => {
    const fence = new RunFence()
    fence.raise('stale')
    fence.raise('over')
    expect(fence.reason).toBe('stale')
    expect(() => fence.check()).toThrow('another attempt has taken over')
  })
})
