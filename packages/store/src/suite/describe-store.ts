import { describe } from 'vitest'
import type { OpenStore } from './fixtures.js'
import { describeFollow } from './follow-suite.js'
import { describeList } from './list-suite.js'
import { describeReads } from './read-suite.js'
import { describeTransact } from './transact-suite.js'
import { describeWakes } from './wakes-suite.js'

/** What every database must do alike; slow machines are given time, since nothing here is about speed. */
export function describeStore(open: OpenStore): void {
  describe('a store', { timeout: 60_000 }, () => {
    describeTransact(open)
    describeReads(open)
    describeList(open)
    describeFollow(open)
    describeWakes(open)
  })
}
