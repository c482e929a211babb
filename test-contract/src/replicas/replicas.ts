import { createDatabase } from '@moorage/dev-postgres'
import { inject, onTestFinished } from 'vitest'
import { Rendezvous } from '../conformance-agent/rendezvous.js'
import { type AgentProcess, type AppProcess, startAgentProcess, startWorkerProcess } from '../processes/agent-process.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'

/** One agent on as many processes as a team would run, over one Postgres and one Temporal. */
export interface Replicas {
  readonly agents: readonly [AgentProcess, AgentProcess]
  readonly workers: readonly [AppProcess, AppProcess]
  /** Where the turns of all processes meet the test. */
  readonly rendezvous: Rendezvous
  /** The worker that counted last under this name. */
  workerAt(counter: string): Promise<AppProcess>
}

export interface ReplicaOptions {
  /** @default a new database of the run's Postgres */
  readonly databaseUrl?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts two agents without workers and two workers; they end with the test. */
export async function startReplicas(options: ReplicaOptions = {}): Promise<Replicas> {
  const { databaseUrl = await createDatabase(inject('postgres')) } = options
  const folder = await temporaryFolder()
  const rendezvous = new Rendezvous(folder)
  const env = { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: inject('engine'), CONFORMANCE_DIR: folder, ...options.env }
  const worker = () => ended(startWorkerProcess(env))
  const workers = [worker(), worker()] as const
  const agents = await Promise.all([startAgent(env), startAgent(env)])
  return {
    agents,
    workers,
    rendezvous,
    async workerAt(counter) {
      const pid = await until(() => rendezvous.lastPid(counter))
      const found = workers.find((candidate) => candidate.pid === pid)
      if (!found) throw new Error(`No worker has the process id ${pid}`)
      return found
    },
  }
}

async function startAgent(env: Readonly<Record<string, string>>): Promise<AgentProcess> {
  return ended(await startAgentProcess(await temporaryFolder(), { ...env, MOORAGE_WORKER: 'off' }))
}

function ended<Process extends AppProcess>(process: Process): Process {
  onTestFinished(async () => {
    await process.end('SIGKILL')
  })
  return process
}
