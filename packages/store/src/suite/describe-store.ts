import { describe } from 'vitest'
import { describeAuthorizations } from './authorization-suite.js'
import { describeCommands } from './command-suite.js'
import { describeDirectAnswers } from './direct-suite.js'
import { type OpenStore, PATIENCE } from './fixtures.js'
import { describeFollow } from './follow-suite.js'
import { describeHeartbeats } from './heartbeat-suite.js'
import { describeList } from './list-suite.js'
import { describePushConfigs } from './push-config-suite.js'
import { describeReads } from './read-suite.js'
import { describeRetention } from './retention-suite.js'
import { describeRetriedTurns } from './retried-turn-suite.js'
import { describeRetries } from './retry-suite.js'
import { describeSlowFollowers } from './slow-follower-suite.js'
import { describeTexts } from './text-suite.js'
import { describeTransact } from './transact-suite.js'
import { describeTurns } from './turn-suite.js'
import { describeWakes } from './wakes-suite.js'

/** What every database must do alike. */
export function describeStore(open: OpenStore): void {
  describe('a store', PATIENCE, () => {
    describeTransact(open)
    describeReads(open)
    describeList(open)
    describeFollow(open)
    describeSlowFollowers(open)
    describeWakes(open)
    describeTurns(open)
    describeRetries(open)
    describeRetriedTurns(open)
    describeCommands(open)
    describeAuthorizations(open)
    describeDirectAnswers(open)
    describePushConfigs(open)
    describeTexts(open)
    describeRetention(open)
    describeHeartbeats(open)
  })
}
