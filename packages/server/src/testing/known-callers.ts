import { ANONYMOUS, type Principal } from '@moorage/store'
import { PARTICIPANT_HEADER } from '../operations/named-participant.js'
import { testCard } from './test-agent.js'
import { caller, forTestCallers, testAuthenticator } from './test-callers.js'
import { startTestServer, type TestServer } from './test-server.js'

/** A server that knows who calls, and one that does not, over one store. */
export interface KnownCallers {
  /** The server as this caller has it. */
  as(principal: Principal): TestServer
}

export async function startKnownCallers(): Promise<KnownCallers> {
  const known = await startTestServer({ card: forTestCallers(testCard()), authenticate: [testAuthenticator], mayActFor: () => true })
  const anybody = await startTestServer({ store: known.store })
  return {
    as(principal) {
      if (principal === ANONYMOUS) return { ...anybody, store: known.store }
      const { subject, tenant, participant } = principal
      const headers = { ...caller(subject, tenant), ...(participant !== subject && { [PARTICIPANT_HEADER]: participant }) }
      return { ...known, fetch: (path, init) => known.fetch(path, { ...init, headers: { ...init?.headers, ...headers } }) }
    },
  }
}
