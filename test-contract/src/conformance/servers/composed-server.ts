import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Agent } from '@moorage/agent'
import { buildAgentCard, parseCardKeys, signCard } from '@moorage/card'
import type { AgentCardJson } from '@moorage/protocol'
import { createPushKeyRing } from '@moorage/push'
import { createHarness } from '@moorage/server'
import { serve } from '@moorage/server/node'
import { openSqliteStore } from '@moorage/store/sqlite'
import { createWaker } from '@moorage/workflow/client'
import { createWorker } from '@moorage/workflow/worker'
import { conformanceAgent } from '../../conformance-agent/conformance-agent.js'
import { createConformanceApp } from '../../conformance-agent/conformance-app.js'
import { Rendezvous } from '../../conformance-agent/rendezvous.js'
import { freePort } from '../../processes/agent-process.js'
import type { ComposedProfile } from './composed-profiles.js'

export interface RunningServer {
  readonly url: string
  stop(): Promise<void>
}

/** The conformance agent behind the profile's card, in this process. */
export async function startComposedServer(profile: ComposedProfile, folder: string, engine: string): Promise<RunningServer> {
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const rendezvous = new Rendezvous(join(folder, 'conformance'))
  const agent = conformanceAgent({ rendezvous, streamingTimeoutMs: 1000 })
  const card = cardOf(agent, profile, url)
  const store = await openSqliteStore({ path: join(folder, 'moorage.db') })
  const temporal = { address: engine }
  const waker = createWaker({ temporal, storeId: store.id })
  const worker = createWorker({ temporal, store, waker, agents: [agent], shutdownGraceMs: 0 })
  const harness = createHarness(agent, {
    ...profile.harness,
    ...(profile.pushNotifications && { pushKeys: createPushKeyRing([{ id: 'one', key: randomBytes(32) }]) }),
    ...(profile.isSigned && { signedCard: await signedBy(card, url) }),
    card,
    store,
    waker,
    worker,
    logger: { error: () => {} },
  })
  const serving = await serve(createConformanceApp(harness, rendezvous), { port })
  await harness.start()
  return {
    url,
    async stop() {
      await serving.close()
      await worker.stop()
      await waker.close()
      await store.close()
    },
  }
}

function cardOf(agent: Agent, { interfaces, pushNotifications }: ComposedProfile, url: string): AgentCardJson {
  const supportedInterfaces = interfaces.flatMap((entry) =>
    ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({ url: `${url}/a2a`, protocolBinding, ...entry })),
  )
  const fields = { supportedInterfaces, capabilities: { streaming: true, pushNotifications } }
  return buildAgentCard({ ...(agent.card as object), ...fields }, { agentId: agent.id, baseUrl: url, allow: { pushNotifications } })
}

function signedBy(card: AgentCardJson, url: string) {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const keys = parseCardKeys({
    keys: [
      { ...ec, kid: 'new' },
      { ...ed25519, kid: 'old' },
    ],
  })
  return signCard(card, { keys, jku: `${url}/.well-known/jwks.json` })
}
