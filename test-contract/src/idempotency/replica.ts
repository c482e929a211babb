import type { Agent } from '@moorage/agent'
import { buildAgentCard } from '@moorage/card'
import { createHarness } from '@moorage/server'
import type { TaskStore } from '@moorage/store'
import { createWaker, type TaskWaker } from '@moorage/workflow/client'
import { createWorker } from '@moorage/workflow/worker'
import { vi } from 'vitest'
import type { Binding } from '../clients.js'
import { createWireClient, type WireClient } from '../conformance/wire/wire-client.js'
import { PATIENCE_MS } from '../patience.js'

const BASE_URL = 'http://agent.test'

/** What a process of the agent is made of: a store, a waker, a worker and a harness of its own. */
export interface Replica {
  readonly store: TaskStore
  readonly waker: TaskWaker
  readonly client: (binding: Binding) => WireClient
  close(): Promise<void>
}

export async function startReplica(agent: Agent, store: TaskStore, engine: string): Promise<Replica> {
  const temporal = { address: engine }
  const waker = createWaker({ temporal, storeId: store.id })
  const worker = createWorker({ temporal, store, waker, agents: [agent], shutdownGraceMs: 0 })
  const card = buildAgentCard({ ...(agent.card as object) }, { agentId: agent.id, baseUrl: BASE_URL })
  const limits = { ratePerMinute: 0, streamsPerPeer: 1000 }
  const harness = createHarness(agent, { card, store, waker, worker, limits, logger: { error: () => {} } })
  await harness.start()
  await vi.waitUntil(() => worker.status().connected, { timeout: PATIENCE_MS, interval: 20 })
  const ask: typeof fetch = async (input, init) => harness.fetch(new Request(input, init))
  return {
    store,
    waker,
    client: (binding) => createWireClient(`${BASE_URL}/a2a`, binding, undefined, ask),
    async close() {
      await harness.stop()
      await waker.close()
      await store.close()
    },
  }
}
