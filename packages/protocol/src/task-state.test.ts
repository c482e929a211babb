import { describe, expect, it } from 'vitest'
import { isInterrupted, isTerminal, TASK_STATES } from './task-state.js'

describe('task states', () => {
  it('are in the order of their numbers in the proto', () => {
    expect(TASK_STATES.indexOf('TASK_STATE_COMPLETED') + 1).toBe(3)
    expect(TASK_STATES.indexOf('TASK_STATE_AUTH_REQUIRED') + 1).toBe(8)
  })

  it('are terminal after the end and interrupted while the client is awaited', () => {
    expect(TASK_STATES.filter(isTerminal)).toStrictEqual([
      'TASK_STATE_COMPLETED',
      'TASK_STATE_FAILED',
      'TASK_STATE_CANCELED',
      'TASK_STATE_REJECTED',
    ])
    expect(TASK_STATES.filter(isInterrupted)).toStrictEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'])
  })
})
