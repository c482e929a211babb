import { expect, it } from 'vitest'
import { describeRuns } from './describe-runs.js'

it.each([
  [0, 0, 'the engine is being ended'],
  [1, 0, '1 turn is still running; it has 10 s'],
  [2, 0, '2 turns are still running; they have 10 s'],
  [1, 1, '1 turn and 1 command are still running; they have 10 s'],
])('says of %i turns and %i commands what is waited for', (turns, commands, text) => {
  expect(describeRuns({ turns, commands }, 10_000, 'engine')).toBe(text)
})
