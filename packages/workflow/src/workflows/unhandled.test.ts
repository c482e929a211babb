import type { Waiting } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { fewPositions } from '../contract/few-positions.js'
import { Unhandled } from './unhandled.js'

const message = (position: number): Waiting => ({ position, kind: 'message' })
const command = (position: number): Waiting => ({ position, kind: 'command' })

describe('Unhandled', () => {
  test('knows each position once, however often it is delivered', () => {
    const unhandled = new Unhandled({ unhandled: [message(2)] })
    unhandled.deliver({ unhandled: [message(1), message(2)] })
    expect(unhandled.list()).toEqual([message(1), message(2)])
  })

  test('is asked to look by a wake without positions', () => {
    expect(new Unhandled({ unhandled: [] }).look).toBe(true)
    expect(new Unhandled({ unhandled: [message(1)] }).look).toBe(false)
  })

  test('takes the word of an Activity up to the last position that it saw, and keeps what was delivered beyond', () => {
    const unhandled = new Unhandled({ unhandled: [message(1), command(2), message(4)] })
    unhandled.observe({ unhandled: [command(3)], last: 3, terminal: false })
    expect(unhandled.list()).toEqual([command(3), message(4)])
    expect(unhandled.has('message')).toBe(true)
  })

  test('keeps what came behind an Activity that saw most of a long wake', () => {
    const wake = Array.from({ length: 130 }, (_, index) => message(index + 1))
    const unhandled = new Unhandled({ unhandled: fewPositions(wake) })
    unhandled.observe({ unhandled: [], last: 120, terminal: false })
    expect(unhandled.has('message')).toBe(true)
  })

  test('knows each kind that there is', () => {
    const unhandled = new Unhandled({ unhandled: [{ position: 1, kind: 'authorization' }] })
    expect([unhandled.has('authorization'), unhandled.has('message')]).toEqual([true, false])
  })

  test('ignores kinds that it does not know', () => {
    const unhandled = new Unhandled({ unhandled: [{ position: 1, kind: 'control' as 'message' }] })
    expect(unhandled.list()).toEqual([])
    expect(unhandled.look).toBe(false)
  })

  test('learns from any Activity that the task has ended', () => {
    const unhandled = new Unhandled({ unhandled: [message(1)] })
    unhandled.observe({ unhandled: [], last: 1, terminal: true })
    unhandled.observe({ unhandled: [], last: 1, terminal: false })
    expect(unhandled.terminal).toBe(true)
  })
})
