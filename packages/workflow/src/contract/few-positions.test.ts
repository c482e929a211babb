import type { Waiting } from '@moorage/store'
import { expect, test } from 'vitest'
import { fewPositions } from './few-positions.js'

test('keeps the last positions of each kind, however many wait', () => {
  const waiting = Array.from({ length: 3000 }, (_, index): Waiting => ({ position: index + 1, kind: index < 2990 ? 'message' : 'command' }))
  const few = fewPositions(waiting)
  expect(few.map(({ position }) => position)).toEqual([
    ...Array.from({ length: 100 }, (_, index) => index + 2891),
    ...Array.from({ length: 10 }, (_, index) => index + 2991),
  ])
  expect(fewPositions(few)).toEqual(few)
  expect(fewPositions([...waiting].reverse())).toEqual(few)
})
