import { TASK_STATES, type TaskState } from '@moorage/protocol'
import { describe, expect, test } from 'vitest'
import { endsWait, type Wait } from './ends-wait.js'

const TERMINAL: readonly TaskState[] = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED', 'TASK_STATE_REJECTED']

/** The states that end each wait, once its message is handled. */
const ENDING: readonly [Wait, readonly TaskState[]][] = [
  [{ kind: 'message', position: 2 }, [...TERMINAL, 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED']],
  [{ kind: 'stream', position: 2 }, [...TERMINAL, 'TASK_STATE_INPUT_REQUIRED']],
  [{ kind: 'command', position: 2 }, TASK_STATES],
  [{ kind: 'subscription' }, TERMINAL],
]

describe.each(ENDING)('the wait %j', (wait, ending) => {
  test.each(TASK_STATES)('for a handled message, in %s', (state) => {
    expect(endsWait(wait, { state, handled: 2 })).toBe(ending.includes(state))
    expect(endsWait(wait, { state, handled: 3 })).toBe(ending.includes(state))
  })

  test.each(TASK_STATES)('is not ended by an older message, in %s', (state) => {
    expect(endsWait(wait, { state, handled: 1 })).toBe(TERMINAL.includes(state))
    expect(endsWait(wait, { state, handled: 1, replyTo: 1 })).toBe(TERMINAL.includes(state))
  })
})

test("a command's reply ends its wait and no other, though older messages are not handled", () => {
  const reply = { state: 'TASK_STATE_WORKING', handled: 0, replyTo: 2 } as const
  expect(endsWait({ kind: 'command', position: 2 }, reply)).toBe(true)
  for (const kind of ['message', 'stream'] as const) expect(endsWait({ kind, position: 2 }, reply)).toBe(false)
})
