import { buildAgentCard } from '@moorage/card'
import type { Principal } from '@moorage/store'
import { createApp } from '../create-app.js'
import { createHandlers } from '../dispatch.js'
import { mountPaths } from '../mount-paths.js'
import { createOpenStreams } from '../open-streams.js'
import { createOperations } from '../operations/operations.js'
import { createOpenRequests } from '../scope.js'
import { testAgent } from './test-agent.js'
import { startTestServer, type TestServer } from './test-server.js'

/** A server that knows who calls, over one store. */
export interface KnownCallers {
  /** The server as this caller has it. */
  as(principal: Principal): TestServer
}

export async function startKnownCallers(): Promise<KnownCallers> {
  const server = await startTestServer()
  return { as: (principal) => ({ ...server, fetch: fetchAs(server, principal) }) }
}

function fetchAs({ store }: TestServer, principal: Principal): TestServer['fetch'] {
  const agent = testAgent()
  const card = buildAgentCard({ name: 'Tester' }, { agentId: agent.id, baseUrl: 'http://agent.test' })
  const logger = { error: () => {} }
  const operations = createOperations({ agent, card, store, waker: { wake: () => {} }, resolveParticipant: () => principal.participant })
  const app = createApp(
    {
      card,
      handlers: createHandlers(operations),
      authenticate: async () => principal,
      authenticated: true,
      requests: createOpenRequests(),
      streams: createOpenStreams({ perPeer: 100, inAll: 100 }),
      peer: () => principal.subject,
      logger,
      keepAliveMs: 15_000,
      unknownExtensions: 'refuse',
    },
    {
      operations,
      signedCard: undefined,
      paths: mountPaths(card, ''),
      mediaType: 'application/a2a+json',
      limits: { ratePerMinute: 0 },
      openApi: false,
      monitored: undefined,
      readiness: { phase: () => 'started', store, worker: undefined, degraded: () => [], logger },
    },
  )
  return async (path, init) => app.fetch(new Request(`http://agent.test${path}`, init))
}
