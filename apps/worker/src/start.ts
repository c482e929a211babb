import type { Agent } from '@moorage/agent'
import {
  type AppPorts,
  ConfigError,
  checkPort,
  describeRuns,
  describeVersion,
  engineTemporal,
  externalTemporal,
  openStore,
  type RawEnvironment,
  type Running,
  startOrEnd,
  type Teardown,
  waitForDatabase,
  waitForEngine,
} from '@moorage/bootstrap'
import type { TaskStore } from '@moorage/store'
import { checkTemporal, type TemporalOptions } from '@moorage/workflow/client'
import { createWorker, type TaskWorker } from '@moorage/workflow/worker'
import type { Logger } from 'pino'
import type { AnnouncementOptions } from './announcement.js'
import type { Config } from './config.js'
import { followEngine } from './follow-engine.js'
import { startHealthServer } from './health-server.js'
import { loadAgents } from './load-agents.js'

/** What a start needs of the process. */
export interface StartPorts extends AppPorts {
  readonly env: RawEnvironment
}

/** A worker that works, and what is to be said of it. */
export interface RunningWorker extends Running, AnnouncementOptions {}

/**
 * Starts everything, in the order in which one needs the other. Where a step fails, or `signal` is aborted between two of them, what has begun is
 * ended again before this rejects.
 */
export function startWorker(config: Config, ports: StartPorts): Promise<RunningWorker> {
  return startOrEnd(ports.logger, (teardown) => startParts(config, ports, teardown))
}

async function startParts(config: Config, ports: StartPorts, teardown: Teardown): Promise<RunningWorker> {
  const { signal, logger } = ports
  const agents = await loadAgents(config.agentPaths, ports.env, ports.progress, signal)
  requireShares(config, agents.length)
  if (config.healthPort !== undefined) await checkPort(config.host, config.healthPort, 'MOORAGE_HEALTH_PORT')
  const temporal = await findTemporal(config, ports)
  const store = await openStore(config, ports, teardown)
  signal.throwIfAborted()
  const worker = composeWorker(config, { agents, temporal, store, logger })
  let isDraining = false
  const health =
    config.healthPort === undefined
      ? undefined
      : await startHealthServer({ host: config.host, port: config.healthPort, store, worker, isDraining: () => isDraining })
  if (health !== undefined) teardown.add('health port', () => health.close())
  teardown.add('worker', () => worker.stop())
  worker.start()
  logger.info({ agents: agents.map(({ id }) => id), temporal: temporal.address, storeId: store.id }, 'working')
  return {
    agents,
    temporal: temporal.address,
    temporalFault: (await checkTemporal(temporal))?.message,
    store: config.store.kind === 'sqlite' ? config.store.path : `Postgres at ${config.store.where}`,
    healthUrl: health?.url,
    notes: describeVersion(config.worker.versioning, temporal),
    waitsFor: () => describeRuns(worker.status(), config.worker.shutdownGraceMs, teardown.ending()),
    stop: () => {
      isDraining = true
      return teardown.run()
    },
  }
}

/** Each agent needs two polls and two runs in memory of its own. */
function requireShares({ worker: { maxPollers, maxCachedWorkflows } }: Config, agents: number): void {
  const least = 2 * agents
  const faults = Object.entries({ MOORAGE_POLLERS: maxPollers, MOORAGE_CACHED_WORKFLOWS: maxCachedWorkflows }).flatMap(([name, value]) =>
    value >= least ? [] : [`${name} must be at least ${least}, two for each of the ${agents} agents of MOORAGE_AGENT; it is ${value}`],
  )
  if (faults.length > 0) throw new ConfigError(faults)
}

/** The Temporal server of the configuration, or the engine that apps/agent runs on the data folder. */
async function findTemporal({ temporal, store, dataDir = '', payloadKeys }: Config, ports: StartPorts): Promise<TemporalOptions> {
  if (temporal.kind === 'embedded') return engineTemporal(await waitForEngine(dataDir, ports), payloadKeys, dataDir)
  if (store.kind === 'sqlite') await waitForDatabase(store.path, ports)
  return externalTemporal(temporal, payloadKeys)
}

interface WorkerParts {
  readonly agents: readonly Agent[]
  readonly temporal: TemporalOptions
  readonly store: TaskStore
  readonly logger: Logger
}

function composeWorker(config: Config, parts: WorkerParts): TaskWorker {
  const create = (temporal: TemporalOptions) =>
    createWorker({ ...parts, ...config.worker, temporal, policy: config.policy, secrets: config.secrets })
  const { temporal, logger } = parts
  if (config.temporal.kind === 'external') return create(temporal)
  const createAt = (address: string) => create({ ...temporal, address })
  return followEngine({ dataDir: config.dataDir ?? '', address: temporal.address, createWorker: createAt, logger })
}
