import { describe, expect, test } from 'vitest'
import { MergedWakes, type Wake } from './merged-wakes.js'

function wake(taskId: string, ...positions: number[]): Wake {
  return { agent: 'a', taskId, unhandled: positions.map((position) => ({ position, kind: 'message' })) }
}

/** Wakes that are on their way until they are let through. */
function createRoad() {
  const sent: Wake[] = []
  const arrivals: (() => void)[] = []
  const wakes = new MergedWakes((one) => {
    sent.push(one)
    return new Promise<void>((resolve) => arrivals.push(resolve))
  })
  return { wakes, sent, arrive: () => arrivals.shift()?.() }
}

describe('MergedWakes', () => {
  test('has one wake of a task on its way, and lets what comes meanwhile ride in the next one', async () => {
    const { wakes, sent, arrive } = createRoad()
    const first = wakes.deliver(wake('t', 1))
    const second = wakes.deliver(wake('t', 2))
    const third = wakes.deliver(wake('t', 2, 3))
    expect(sent).toEqual([wake('t', 1)])
    arrive()
    await first
    await new Promise(setImmediate)
    expect(sent).toEqual([wake('t', 1), wake('t', 2, 3)])
    arrive()
    await Promise.all([second, third])
  })

  test('does not make a task wait for another one', () => {
    const { wakes, sent } = createRoad()
    void wakes.deliver(wake('t', 1))
    void wakes.deliver(wake('u', 1))
    expect(sent).toEqual([wake('t', 1), wake('u', 1)])
  })

  test('is idle when nothing is on its way, not even what was merged', async () => {
    const { wakes, sent, arrive } = createRoad()
    void wakes.deliver(wake('t', 1))
    void wakes.deliver(wake('t'))
    let idle = false
    const waited = wakes.idle().then(() => {
      idle = true
    })
    arrive()
    await new Promise(setImmediate)
    expect({ idle, sent: sent.length }).toEqual({ idle: false, sent: 2 })
    arrive()
    await waited
  })
})
