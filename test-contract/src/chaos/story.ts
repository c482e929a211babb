import type { TaskState } from '@moorage/protocol'
import { numbers } from '../clients.js'
import type { Script } from '../conformance-agent/script.js'
import type { TaskPlan } from './plan.js'

/** What the client does once its task has come so far. */
export interface Action {
  /** So many chunks have been seen, or the task asks. */
  readonly when: { readonly chunks: number } | 'asked'
  readonly act:
    | { readonly kind: 'message'; readonly script: Script }
    | { readonly kind: 'answer' }
    | { readonly kind: 'command'; readonly args: string }
    | { readonly kind: 'cancel' }
    | { readonly kind: 'open' }
}

/** What must be true of a task in the end, whatever was killed meanwhile. */
export interface Expected {
  readonly state: TaskState
  /** The words of its last status; undefined: whatever they are. */
  readonly says: string | undefined
  /** The text of each artifact. */
  readonly artifacts: Readonly<Record<string, string>>
  /** Whether the artifacts may end early, since somebody has ended the task. */
  readonly mayEndEarly: boolean
  /** The counters, each of which exactly one step counts. */
  readonly counters: readonly string[]
}

/** A task with its begin, what is done meanwhile, and what it comes to. */
export interface Story {
  readonly script: Script
  readonly actions: readonly Action[]
  readonly expected: Expected
}

/** The artifact that the first message's chunks go to. */
export const FIRST = 'first'
const SECOND = 'second'

export function tell({ label, scenario, chunks, everyMs }: TaskPlan): Story {
  const count = (name: string) => ({ count: `${label}-${name}` })
  const first = { chunks, everyMs, artifact: FIRST }
  const second = { chunks, everyMs, artifact: SECOND }
  const gate = { await: label }
  const end = { complete: label }
  const seen = { chunks: Math.ceil(chunks / 2) }
  const expect = (fields: Partial<Expected>): Expected => ({
    ...{ state: 'TASK_STATE_COMPLETED', says: label, artifacts: { [FIRST]: numbers(chunks) }, mayEndEarly: false, counters: [] },
    ...fields,
  })
  const both = { [FIRST]: numbers(chunks), [SECOND]: numbers(chunks) }
  const counters = (...names: string[]) => names.map((name) => `${label}-${name}`)
  switch (scenario) {
    case 'stream':
      return { script: [count('a'), first, count('b'), end], actions: [], expected: expect({ counters: counters('a', 'b') }) }
    case 'question':
      return {
        script: [count('a'), first, { ask: 'Which?' }, count('b'), second, end],
        actions: [{ when: 'asked', act: { kind: 'answer' } }],
        expected: expect({ artifacts: both, counters: counters('a', 'b') }),
      }
    case 'follow-up':
      return {
        script: [count('a'), first, gate, count('b'), { complete: 'postponed' }],
        actions: [
          { when: seen, act: { kind: 'message', script: [count('c'), second, end] } },
          { when: seen, act: { kind: 'open' } },
        ],
        expected: expect({ artifacts: both, counters: counters('a', 'b', 'c') }),
      }
    case 'commands':
      return {
        script: [count('a'), first, gate, count('b'), end],
        actions: [
          { when: { chunks: 1 }, act: { kind: 'command', args: `${label} one` } },
          { when: seen, act: { kind: 'command', args: `${label} two` } },
          { when: seen, act: { kind: 'open' } },
        ],
        expected: expect({ counters: counters('a', 'b') }),
      }
    case 'cancel':
      return {
        script: [count('a'), { ...first, chunks: 2000, everyMs: Math.max(5, everyMs) }],
        actions: [{ when: seen, act: { kind: 'cancel' } }],
        expected: expect({
          state: 'TASK_STATE_CANCELED',
          says: undefined,
          artifacts: { [FIRST]: numbers(2000) },
          mayEndEarly: true,
          counters: counters('a'),
        }),
      }
    case 'fail':
      return {
        script: [count('a'), first, { fail: label }],
        actions: [],
        expected: expect({ state: 'TASK_STATE_FAILED', counters: counters('a') }),
      }
    case 'direct':
      return { script: [count('a'), { message: label }], actions: [], expected: expect({ artifacts: {}, counters: counters('a') }) }
  }
}
