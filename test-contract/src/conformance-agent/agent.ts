/**
 * The conformance agent as a module: `MOORAGE_AGENT=…/agent.ts` for `apps/agent` and `apps/worker`. Processes that are to share gates and counters
 * name the same folder in `CONFORMANCE_DIR`.
 * @module
 */
import { join } from 'node:path'
import { conformanceAgent } from './conformance-agent.js'
import { Rendezvous } from './rendezvous.js'
import { streamingTimeout } from './streaming-timeout.js'

const { CONFORMANCE_DIR, MOORAGE_DATA_DIR = '.moorage', TCK_STREAMING_TIMEOUT } = process.env

export const agent = conformanceAgent({
  rendezvous: new Rendezvous(CONFORMANCE_DIR ?? join(MOORAGE_DATA_DIR, 'conformance')),
  streamingTimeoutMs: streamingTimeout.parse(TCK_STREAMING_TIMEOUT),
})
