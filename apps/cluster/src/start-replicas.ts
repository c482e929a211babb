import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { agentEnvironment, workerEnvironment } from './app-environment.js'
import type { Ports } from './ports.js'
import { type KeptProcess, keepRunning, type ProcessEvent } from './processes/keep-running.js'
import { ensureDatabase } from './processes/postgres-client.js'
import { type StartNodeOptions, startNode } from './processes/start-node.js'
import { startProxy } from './proxy/start-proxy.js'
import type { Backend } from './start-backend.js'
import type { Teardown } from './teardown.js'

export interface StartReplicasOptions {
  readonly folder: string
  /** Where the apps run: MOORAGE_AGENT is relative to it. */
  readonly cwd: string
  readonly ports: Ports
  readonly backend: Backend
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onEvent: (event: ProcessEvent) => void
  /** Gets what is to be stopped, as it is started. */
  readonly teardown: Teardown
}

/** The replicas of both apps, running, and where clients reach them. */
export interface Replicas {
  readonly url: string
  /** The agents, then the workers. */
  readonly processes: readonly KeptProcess[]
}

const { resolve: find } = createRequire(import.meta.url)

/** Starts the proxy, the workers and the agents. All but the proxy, which is in this process, are kept running. */
export async function startReplicas(options: StartReplicasOptions, signal: AbortSignal): Promise<Replicas> {
  const { folder, ports, backend, env, teardown } = options
  // First, so that its port is taken; it answers 503 while there are no agents.
  const proxy = await startProxy({ port: ports.proxy, ports: ports.agents })
  teardown.add('what the proxy still carries', () => proxy.close())
  const databaseUrl = await ensureDatabase(backend.postgresUrl, 'moorage')
  const temporalConfigFile = join(folder, 'temporal', 'client.toml')
  await writeFile(temporalConfigFile, '[profile.default]\n')
  const coordinates = { databaseUrl, temporalAddress: backend.temporalAddress, temporalConfigFile, baseUrl: proxy.url }

  const workers = ports.workers.map((port) => ({ file: find('@moorage/app-worker'), port, env: workerEnvironment(env, coordinates, port) }))
  const keptWorkers = await startAll('worker', workers, options, signal)
  const agents = ports.agents.map((port) => ({ file: find('@moorage/app-agent'), port, env: agentEnvironment(env, coordinates, port) }))
  const keptAgents = await startAll('agent', agents, options, signal)
  // The first to be stopped: streams end with their agents, and nothing new comes in meanwhile.
  teardown.add('the proxy', async () => proxy.drain())
  return { url: proxy.url, processes: [...keptAgents, ...keptWorkers] }
}

interface Replica extends Pick<StartNodeOptions, 'file' | 'env'> {
  readonly port: number
}

/** Starts replicas of one app at once. Those that have started are in the teardown also where another one fails. */
async function startAll(
  kind: 'agent' | 'worker',
  replicas: readonly Replica[],
  { folder, cwd, onEvent, teardown }: StartReplicasOptions,
  signal: AbortSignal,
): Promise<readonly KeptProcess[]> {
  const started = await Promise.allSettled(
    replicas.map(({ file, port, env }, index) => {
      const name = `${kind} ${index + 1}`
      const logFile = join(folder, 'logs', `${kind}-${index + 1}.log`)
      const node = { name, file, cwd, env, logFile, readyUrl: `http://127.0.0.1:${port}/readyz`, graceMs: graceOf(env) }
      return keepRunning({ name, start: (stop) => startNode(node, stop), onEvent }, signal)
    }),
  )
  const kept = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  teardown.add(`the ${kind}s`, async () => void (await Promise.all(kept.map((one) => one.stop()))))
  const failed = started.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return kept
}

/** Longer than the app itself takes for an orderly end. */
function graceOf({ MOORAGE_SHUTDOWN_GRACE_MS: configured }: Readonly<Record<string, string>>): number {
  return (Number(configured) || 10_000) + 10_000
}
