import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Agent } from '@moorage/agent'
import {
  type AppPorts,
  checkPort,
  describeRuns,
  localUrl,
  openStore,
  type RawEnvironment,
  type Running,
  startOrEnd,
  startTemporal,
  type Teardown,
} from '@moorage/bootstrap'
import { buildAgentCard } from '@moorage/card'
import { claimDataFolder } from '@moorage/engine'
import { createHarness } from '@moorage/server'
import { serve } from '@moorage/server/node'
import { createWaker } from '@moorage/workflow/client'
import { createWorker } from '@moorage/workflow/worker'
import type { Config } from './config.js'
import { conformanceAgent } from './conformance-agent.js'
import { createConformanceApp } from './conformance-app.js'
import { PROFILE_CARDS } from './profiles.js'
import { Rendezvous } from './rendezvous.js'

export interface RunningConformanceAgent extends Running {
  readonly url: string
}

/** Starts everything in this process; what has begun is ended again where a step fails. */
export function startConformanceAgent(
  config: Config,
  ports: AppPorts & { readonly env: RawEnvironment },
): Promise<RunningConformanceAgent> {
  return startOrEnd(ports.logger, (teardown) => startParts(config, ports, teardown))
}

async function startParts(
  config: Config,
  ports: AppPorts & { readonly env: RawEnvironment },
  teardown: Teardown,
): Promise<RunningConformanceAgent> {
  const { logger } = ports
  const port = await checkPort(config.host, config.port)
  const url = localUrl(config.host, port)
  if (config.isFresh) teardown.add('fresh folder', () => rm(config.folder, { recursive: true, force: true, maxRetries: 5 }))
  const claim = await claimDataFolder(config.folder)
  teardown.add('data folder', () => claim.release())
  const rendezvous = new Rendezvous(join(config.folder, 'conformance'))
  const agent = conformanceAgent({ rendezvous, streamingTimeoutMs: config.streamingTimeoutMs })
  const temporal = await startTemporal(config, ports, teardown)
  const store = await openStore(config, ports, teardown)
  const waker = createWaker({ temporal, storeId: store.id, policy: config.policy, logger })
  teardown.add('waker', () => waker.close())
  const worker = createWorker({
    temporal,
    store,
    waker,
    logger,
    ...config.worker,
    agents: [agent],
    policy: config.policy,
    secrets: config.secrets,
  })
  const card = buildCard(agent, config, url)
  // The kit sends the same message ids again, in other tasks and other runs.
  const options = { idempotency: 'off', limits: { ratePerMinute: 0 }, secrets: config.secrets } as const
  const harness = createHarness(agent, { card, store, waker, worker, logger, ...options })
  const serving = await serve(createConformanceApp(harness, rendezvous), { host: config.host, port })
  teardown.add('server', () => serving.close())
  await harness.start()
  await claim.announce(url)
  const waitsFor = () => describeRuns(worker.status(), config.worker.shutdownGraceMs, teardown.ending())
  return { url, waitsFor, stop: () => teardown.run() }
}

function buildCard(agent: Agent, { profile }: Config, url: string) {
  const { fields, allow } = PROFILE_CARDS[profile]
  return buildAgentCard({ ...(agent.card as object), ...fields }, { agentId: agent.id, baseUrl: url, allow })
}
