import { TASK_STATES, type TaskState } from '@moorage/protocol'
import { describe, expect, test } from 'vitest'
import { endsWait, type Progress, type Wait } from './ends-wait.js'

/**
 * For each state and kind of wait whether it ends (E) where messages up to 0, 1, 2, 3 and 4 are handled. The wait's own is at 2: before it are
 * older ones, 3 and 4 are one and two later ones. Every message counts, also one that runs no turn.
 */
const TABLE: readonly (readonly [TaskState, Readonly<Record<Wait['kind'], string>>])[] = [
  ['TASK_STATE_SUBMITTED', { message: '-----', stream: '-----', command: '--EEE', subscription: '-----' }],
  ['TASK_STATE_WORKING', { message: '-----', stream: '-----', command: '--EEE', subscription: '-----' }],
  ['TASK_STATE_INPUT_REQUIRED', { message: '--EEE', stream: '--EEE', command: '--EEE', subscription: '-----' }],
  ['TASK_STATE_AUTH_REQUIRED', { message: '--EEE', stream: '-----', command: '--EEE', subscription: '-----' }],
  ['TASK_STATE_COMPLETED', { message: 'EEEEE', stream: 'EEEEE', command: 'EEEEE', subscription: 'EEEEE' }],
  ['TASK_STATE_FAILED', { message: 'EEEEE', stream: 'EEEEE', command: 'EEEEE', subscription: 'EEEEE' }],
  ['TASK_STATE_CANCELED', { message: 'EEEEE', stream: 'EEEEE', command: 'EEEEE', subscription: 'EEEEE' }],
  ['TASK_STATE_REJECTED', { message: 'EEEEE', stream: 'EEEEE', command: 'EEEEE', subscription: 'EEEEE' }],
]

/** The same where the entry answers a command: the wait's own at 2, an older one at 1, a later one at 3. Terminal entries answer nothing. */
const REPLIES: readonly (readonly [TaskState, number, Readonly<Record<Wait['kind'], string>>])[] = [
  ['TASK_STATE_SUBMITTED', 2, { message: '-----', stream: '-----', command: 'EEEEE', subscription: '-----' }],
  ['TASK_STATE_WORKING', 1, { message: '-----', stream: '-----', command: '--EEE', subscription: '-----' }],
  ['TASK_STATE_WORKING', 2, { message: '-----', stream: '-----', command: 'EEEEE', subscription: '-----' }],
  ['TASK_STATE_WORKING', 3, { message: '-----', stream: '-----', command: '--EEE', subscription: '-----' }],
  ['TASK_STATE_INPUT_REQUIRED', 1, { message: '--EEE', stream: '--EEE', command: '--EEE', subscription: '-----' }],
  ['TASK_STATE_INPUT_REQUIRED', 2, { message: '--EEE', stream: '--EEE', command: 'EEEEE', subscription: '-----' }],
  ['TASK_STATE_INPUT_REQUIRED', 3, { message: '--EEE', stream: '--EEE', command: '--EEE', subscription: '-----' }],
  ['TASK_STATE_AUTH_REQUIRED', 2, { message: '--EEE', stream: '-----', command: 'EEEEE', subscription: '-----' }],
]

const KINDS = ['message', 'stream', 'command', 'subscription'] as const
const waitOf = (kind: Wait['kind']): Wait => (kind === 'subscription' ? { kind } : { kind, position: 2 })

function ends(wait: Wait, progress: Omit<Progress, 'handled'>): string {
  return [0, 1, 2, 3, 4].map((handled) => (endsWait(wait, { ...progress, handled }) ? 'E' : '-')).join('')
}

describe.each(KINDS)('the wait of a %s', (kind) => {
  test.each(TABLE)('in %s', (state, expected) => {
    expect(ends(waitOf(kind), { state })).toBe(expected[kind])
  })

  test.each(REPLIES)('in %s, at the reply to the command at %i', (state, replyTo, expected) => {
    expect(ends(waitOf(kind), { state, replyTo })).toBe(expected[kind])
  })
})

test('the table has every state', () => {
  expect(TABLE.map(([state]) => state).sort()).toEqual([...TASK_STATES].sort())
})

/** A log in short: what each entry leaves behind. */
const WORKING = (handled: number, replyTo?: number): Progress => ({
  state: 'TASK_STATE_WORKING',
  handled,
  ...(replyTo === undefined ? {} : { replyTo }),
})
const ASKS = (handled: number): Progress => ({ state: 'TASK_STATE_INPUT_REQUIRED', handled })
const COMPLETED = (handled: number): Progress => ({ state: 'TASK_STATE_COMPLETED', handled })

/** Logs, and after how many of their entries each wait ends; null: not in this log. */
const LOGS: readonly (readonly [string, readonly Progress[], readonly (readonly [Wait, number | null])[]])[] = [
  [
    'no later message: the question of its own turn',
    [WORKING(0), WORKING(0), ASKS(1), ASKS(1)],
    [
      [{ kind: 'message', position: 1 }, 3],
      [{ kind: 'stream', position: 1 }, 3],
      [{ kind: 'subscription' }, null],
    ],
  ],
  [
    'one later message, during the turn: the end of the first is postponed, and both end at the question after the second',
    [WORKING(0), WORKING(0), WORKING(1), WORKING(1), ASKS(2)],
    [
      [{ kind: 'message', position: 1 }, 5],
      [{ kind: 'stream', position: 1 }, 5],
      [{ kind: 'stream', position: 2 }, 5],
    ],
  ],
  [
    'one later message, after the question: the old question does not end the new stream',
    [WORKING(0), ASKS(1), WORKING(1), WORKING(1), ASKS(2), COMPLETED(2)],
    [
      [{ kind: 'stream', position: 1 }, 2],
      [{ kind: 'stream', position: 2 }, 5],
      [{ kind: 'message', position: 2 }, 5],
      [{ kind: 'subscription' }, 6],
    ],
  ],
  [
    'two later messages, a command and another: the command at its reply, the rest together',
    [WORKING(0), WORKING(0, 2), WORKING(0), WORKING(2), ASKS(3)],
    [
      [{ kind: 'message', position: 1 }, 5],
      [{ kind: 'command', position: 2 }, 2],
      [{ kind: 'stream', position: 3 }, 5],
    ],
  ],
  [
    'a message that runs no turn, on a parked task: the status that is told again as handled',
    [ASKS(1), ASKS(1), ASKS(2)],
    [
      [{ kind: 'message', position: 2 }, 3],
      [{ kind: 'stream', position: 2 }, 3],
      [{ kind: 'command', position: 2 }, 3],
      [{ kind: 'subscription' }, null],
    ],
  ],
  [
    'two later messages that never run, since the task ends: all at its end',
    [WORKING(0), WORKING(0), COMPLETED(3)],
    [
      [{ kind: 'message', position: 1 }, 3],
      [{ kind: 'stream', position: 2 }, 3],
      [{ kind: 'command', position: 3 }, 3],
      [{ kind: 'subscription' }, 3],
    ],
  ],
]

describe.each(LOGS)('%s', (_, log, waits) => {
  test.each(waits)('%j ends after %s entries', (wait, expected) => {
    const index = log.findIndex((entry) => endsWait(wait, entry))
    expect(index === -1 ? null : index + 1).toBe(expected)
  })
})
