import { existsSync } from 'node:fs'
import type { Agent } from '@moorage/agent'
import {
  type AppPorts,
  builtInAgent,
  ConfigError,
  checkPort,
  describePortError,
  describeRuns,
  describeVersion,
  loadAgent,
  localUrl,
  openPushKeys,
  openStore,
  type RawEnvironment,
  type Running,
  seconds,
  startOrEnd,
  startTemporal,
  type Teardown,
} from '@moorage/bootstrap'
import { baseUrlWarnings, buildAgentCard, type SignedCard, signCard } from '@moorage/card'
import { JWKS_PATH } from '@moorage/card/routes'
import type { AgentCardJson } from '@moorage/protocol'
import type { PushKeyRing } from '@moorage/push'
import { createHarness, type ExtendCard, type Harness } from '@moorage/server'
import { type Serving, serve } from '@moorage/server/node'
import type { TaskStore } from '@moorage/store'
import { createWaker, type TaskWaker, type TemporalOptions } from '@moorage/workflow/client'
import { createWorker, type TaskWorker } from '@moorage/workflow/worker'
import type { Logger } from 'pino'
import { claimFolder } from './claim-folder.js'
import { type ComposedAccess, composeAccess } from './compose-access.js'
import type { Config } from './config.js'
import { warnOfOpenDoor } from './exposure.js'
import { extendedCards } from './extended-card.js'
import { createTemporalLook } from './temporal-look.js'

/** What a start needs of the process. */
export interface StartPorts extends AppPorts {
  readonly env: RawEnvironment
}

export interface RunningAgent extends Running {
  readonly agent: Agent
  readonly card: AgentCardJson
  /** Who issues the bearer tokens that callers need, where the configuration says it. */
  readonly issuer: string | undefined
  /** Where this machine reaches it. */
  readonly url: string
  /** Why Temporal cannot be used yet, and what to do. */
  readonly temporalFault: string | undefined
  /** What else has to be done, such as making the version of its worker the current one. */
  readonly notes: readonly string[]
  /** Answers `/readyz` with 503, finishes what is being answered, stops the worker, then the engine. */
  stop(): Promise<void>
}

/**
 * Starts everything, in the order in which one needs the other. Where a step fails, or `signal` is aborted between two of them, what has begun is
 * ended again before this rejects.
 */
export function startAgent(config: Config, ports: StartPorts): Promise<RunningAgent> {
  return startOrEnd(ports.logger, (teardown) => startParts(config, ports, teardown))
}

async function startParts(config: Config, ports: StartPorts, teardown: Teardown): Promise<RunningAgent> {
  const { signal, logger } = ports
  const agent = config.agentPath === undefined ? builtInAgent : await loadAgent(config.agentPath, ports.env, ports.progress, signal)
  const access = await composeAccess(agent, config, ports)
  // A folder that is there says more of who has the port; one that is not there is only made where the port can be had.
  if (config.dataDir !== undefined && !existsSync(config.dataDir)) await checkPort(config.host, config.port)
  const folder = config.dataDir === undefined ? undefined : await claimFolder(config.dataDir, teardown)
  const port = await checkPort(config.host, config.port)
  const url = localUrl(config.host, port)
  const card = buildCard(agent, config, url, access)
  const signedCard = await sign(card, config, url)
  const extendCard = extendedCards(agent, card, access.authenticators.length > 0, (extended) => sign(extended, config, url))
  const pushKeys = await openPushKeys(config, card)
  const temporal = await startTemporal(config, ports, teardown)
  signal.throwIfAborted()
  const store = await openStore(config, ports, teardown)
  await warn(config, ports, { agent, card, store, access })
  const waker = createWaker({ temporal, storeId: store.id, policy: config.policy, logger })
  teardown.add('waker', () => waker.close())
  const worker = config.runsWorker ? createAgentWorker(agent, config, { temporal, store, waker, logger }) : undefined
  const harness = composeHarness(agent, config, { card, access, signedCard, extendCard, pushKeys, store, waker, worker, logger })
  signal.throwIfAborted()
  const serving = await listen(harness, config.host, port)
  teardown.add('server', () => serving.close())
  await harness.start()
  await folder?.announce(url)
  logger.info({ agent: agent.id, url, dataDir: config.dataDir, temporal: temporal.address, storeId: store.id }, 'serving')
  const { fault } = await waker.check()
  const notes = config.runsWorker ? describeVersion(config.worker.versioning, temporal) : []
  const running = { agent, card, url, issuer: config.access.jwt?.issuer, temporalFault: fault?.message, notes }
  return { ...running, waitsFor: () => describeStop(config, worker, teardown), stop: () => teardown.run() }
}

function buildCard(agent: Agent, config: Config, url: string, { schemes }: ComposedAccess): AgentCardJson {
  return buildAgentCard(agent.card, {
    agentId: agent.id,
    baseUrl: config.baseUrl ?? url,
    commands: agent.commands,
    schemes,
    allow: { extendedAgentCard: true },
    ...(agent.input !== 'text' && { inputModes: ['application/json'] }),
    ...(config.agentPath !== undefined && { modulePath: config.agentPath }),
  })
}

/** Undefined without keys: the card is served unsigned then. */
async function sign(card: AgentCardJson, { cardKeys: keys, baseUrl }: Config, url: string): Promise<SignedCard | undefined> {
  return keys.length === 0 ? undefined : signCard(card, { keys, jku: new URL(JWKS_PATH, baseUrl ?? url).href })
}

/** What is odd about these parts together, and no reason not to start. */
async function warn(
  config: Config,
  { logger }: StartPorts,
  parts: { readonly agent: Agent; readonly card: AgentCardJson; readonly store: TaskStore; readonly access: ComposedAccess },
): Promise<void> {
  const { agent, card, store, access } = parts
  // Of what a module exports the configuration knew nothing yet.
  if (config.access.modulePath !== undefined && access.authenticators.length === 0)
    for (const warning of warnOfOpenDoor(config.host)) logger.warn(warning)
  if (config.baseUrl !== undefined) for (const warning of baseUrlWarnings(card, config.baseUrl)) logger.warn(`MOORAGE_BASE_URL: ${warning}`)
  if (config.pushKeys !== undefined && !card.capabilities.pushNotifications) {
    logger.warn('MOORAGE_PUSH_KEYS: without effect, since the agent card declares no push notifications')
  }
  if (agent.extendCard !== undefined && card.capabilities.extendedAgentCard !== true) {
    logger.warn('extendCard: without effect, since the agent card declares no capabilities.extendedAgentCard')
  }
  // In Postgres it is usual that other processes run other agents.
  if (config.store.kind !== 'sqlite') return
  for (const [other, count] of await store.countUnfinished()) {
    if (other === agent.id) continue
    logger.warn(
      { agent: other, tasks: count },
      `The agent "${other}" has unfinished tasks in this data folder (${count}), which this process does not run: serve that agent from it, or run apps/worker with it beside this process`,
    )
  }
}

interface Parts {
  readonly store: TaskStore
  readonly waker: TaskWaker
  readonly logger: Logger
}

function createAgentWorker(agent: Agent, config: Config, parts: Parts & { readonly temporal: TemporalOptions }): TaskWorker {
  return createWorker({ ...parts, ...config.worker, agents: [agent], policy: config.policy, secrets: config.secrets })
}

interface HarnessParts extends Parts {
  readonly card: AgentCardJson
  readonly access: ComposedAccess
  readonly signedCard: SignedCard | undefined
  readonly extendCard: ExtendCard | undefined
  readonly pushKeys: PushKeyRing | undefined
  readonly worker: TaskWorker | undefined
}

function composeHarness(
  agent: Agent,
  config: Config,
  { worker, signedCard, extendCard, pushKeys, access, ...parts }: HarnessParts,
): Harness {
  const reachesTemporal = createTemporalLook(parts.waker)
  const options = {
    ...parts,
    ...(worker !== undefined && { worker }),
    ...(signedCard !== undefined && { signedCard }),
    ...(extendCard !== undefined && { extendCard }),
    ...(pushKeys !== undefined && { pushKeys }),
    ...namingOf(access),
    limits: {
      maxRequestBytes: config.maxRequestBytes,
      ratePerMinute: config.ratePerMinute,
      streamsPerPeer: config.streamsPerPeer,
      streams: config.maxStreams,
    },
    secrets: config.secrets,
    blockingTimeoutMs: config.blockingTimeoutMs,
    maxWaiting: config.maxWaiting,
    drainDelayMs: config.drainDelayMs,
    // A worker in this process says that itself.
    degraded: async () => (worker === undefined && !(await reachesTemporal()) ? ['temporal'] : []),
  }
  try {
    return createHarness(agent, options)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new ConfigError([`The agent cannot be served as its card says: ${error.message.replace(/^createHarness: /, '')}`], {
      cause: error,
    })
  }
}

function namingOf({ authenticators, resolveParticipant, mayActFor }: ComposedAccess) {
  return {
    ...(authenticators.length > 0 && { authenticate: authenticators }),
    ...(resolveParticipant !== undefined && { resolveParticipant }),
    ...(mayActFor !== undefined && { mayActFor }),
  }
}

/** Another process may have taken the port since it was checked. */
async function listen(harness: Harness, host: string, port: number): Promise<Serving> {
  try {
    return await serve(harness, { host, port })
  } catch (error) {
    throw await describePortError(error, host, port)
  }
}

function describeStop({ worker: { shutdownGraceMs }, drainDelayMs }: Config, worker: TaskWorker | undefined, { ending }: Teardown): string {
  const runs = describeRuns(worker?.status() ?? { turns: 0, commands: 0 }, shutdownGraceMs, ending())
  return drainDelayMs === 0 ? runs : `requests are taken for ${seconds(drainDelayMs)} (MOORAGE_DRAIN_DELAY_MS), then ${runs}`
}
