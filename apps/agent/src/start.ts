import { join } from 'node:path'
import type { Agent } from '@moorage/agent'
import { buildAgentCard } from '@moorage/card'
import { claimDataFolder, type DataFolderClaim, DataFolderTakenError } from '@moorage/engine'
import type { AgentCardJson } from '@moorage/protocol'
import { createHarness, type Harness } from '@moorage/server'
import { type Serving, serve } from '@moorage/server/node'
import type { TaskStore } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import { createWaker, type TaskWaker, type TemporalOptions } from '@moorage/workflow/client'
import { createWorker, type TaskWorker } from '@moorage/workflow/worker'
import type { Logger } from 'pino'
import { builtInAgent } from './built-in-agent.js'
import type { Config } from './config.js'
import { ConfigError } from './config-error.js'
import { loadAgent } from './load-agent.js'
import { checkPort, describePortError, localUrl } from './port.js'
import { createTeardown, type Teardown } from './teardown.js'
import { provideTemporal } from './temporal.js'

/** What a start needs of the process. */
export interface StartPorts {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logger: Logger
  /** Told, a line at a time, what takes long. */
  readonly progress: (line: string) => void
  /** Aborted when the process is told to stop. */
  readonly signal: AbortSignal
}

export interface RunningAgent {
  readonly agent: Agent
  readonly card: AgentCardJson
  /** Where this machine reaches it. */
  readonly url: string
  /** Answers `/readyz` with 503, finishes what is being answered, stops the worker, then the engine. */
  stop(): Promise<void>
}

/**
 * Starts everything, in the order in which one needs the other. Where a step fails, or `signal` is aborted between two of them, what has begun is
 * ended again before this rejects.
 */
export async function startAgent(config: Config, ports: StartPorts): Promise<RunningAgent> {
  const teardown = createTeardown((name, error) => ports.logger.error({ err: error, part: name }, 'a part did not stop as it should'))
  try {
    return await startParts(config, ports, teardown)
  } catch (error) {
    await teardown.run()
    throw error
  }
}

async function startParts(config: Config, ports: StartPorts, teardown: Teardown): Promise<RunningAgent> {
  const { signal, logger } = ports
  const agent = config.agentPath === undefined ? builtInAgent : await loadAgent(config.agentPath)
  const folder = await claimFolder(config.dataDir, teardown)
  const port = await checkPort(config.host, config.port)
  const url = localUrl(config.host, port)
  const card = buildCard(agent, config, url)
  const temporal = await provideTemporal(config, ports, teardown)
  signal.throwIfAborted()
  const store = await openStore(config, teardown)
  const waker = createWaker({ temporal, storeId: store.id, policy: policyOf(config), logger })
  teardown.add('waker', () => waker.close())
  const worker = createAgentWorker(agent, config, { temporal, store, waker, logger })
  const harness = composeHarness(agent, config, { card, store, waker, worker, logger })
  signal.throwIfAborted()
  const serving = await listen(harness, config.host, port)
  teardown.add('server', () => serving.close())
  await harness.start()
  await folder.announce(url)
  logger.info({ agent: agent.id, url, dataDir: config.dataDir, temporal: temporal.address, storeId: store.id }, 'serving')
  return { agent, card, url, stop: () => teardown.run() }
}

async function claimFolder(dataDir: string, teardown: Teardown): Promise<DataFolderClaim> {
  try {
    const folder = await claimDataFolder(dataDir)
    teardown.add('data folder', () => folder.release())
    return folder
  } catch (error) {
    if (error instanceof DataFolderTakenError || !(error instanceof Error)) throw error
    throw new ConfigError([`MOORAGE_DATA_DIR is ${dataDir}, which cannot be used: ${error.message}`], { cause: error })
  }
}

function buildCard(agent: Agent, config: Config, url: string): AgentCardJson {
  return buildAgentCard(agent.card, {
    agentId: agent.id,
    baseUrl: config.baseUrl ?? url,
    commands: agent.commands,
    ...(agent.input !== 'text' && { inputModes: ['application/json'] }),
    ...(config.agentPath !== undefined && { modulePath: config.agentPath }),
  })
}

async function openStore(config: Config, teardown: Teardown): Promise<TaskStore> {
  const store = await openSqliteStore({ path: join(config.dataDir, 'moorage.db'), wakeAfterMs: config.wakeAfterMs })
  teardown.add('store', () => store.close())
  return store
}

function policyOf({ turnTimeoutMs, commandTimeoutMs, heartbeatTimeoutMs }: Config) {
  return { turnTimeoutMs, commandTimeoutMs, heartbeatTimeoutMs }
}

interface Parts {
  readonly store: TaskStore
  readonly waker: TaskWaker
  readonly logger: Logger
}

function createAgentWorker(agent: Agent, config: Config, parts: Parts & { readonly temporal: TemporalOptions }): TaskWorker {
  return createWorker({
    ...parts,
    agents: [agent],
    policy: policyOf(config),
    slots: { turns: config.turnSlots, commands: config.commandSlots },
    shutdownGraceMs: config.shutdownGraceMs,
  })
}

function composeHarness(
  agent: Agent,
  config: Config,
  parts: Parts & { readonly card: AgentCardJson; readonly worker: TaskWorker },
): Harness {
  const options = {
    ...parts,
    limits: { maxRequestBytes: config.maxRequestBytes, ratePerMinute: config.ratePerMinute },
    blockingTimeoutMs: config.blockingTimeoutMs,
    maxWaiting: config.maxWaiting,
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

/** Another process may have taken the port since it was checked. */
async function listen(harness: Harness, host: string, port: number): Promise<Serving> {
  try {
    return await serve(harness, { host, port })
  } catch (error) {
    throw await describePortError(error, host, port)
  }
}
