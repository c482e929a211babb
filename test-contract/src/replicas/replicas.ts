import { readFile } from 'node:fs/promises'
import { createDatabase } from '@moorage/dev-postgres'
import { inject, onTestFinished } from 'vitest'
import { type AgentProcess, type AppProcess, startAgentProcess, startWorkerProcess } from '../processes/agent-process.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'

/** One agent on as many processes as a team would run, over one Postgres and one Temporal. */
export interface Replicas {
  readonly agents: readonly [AgentProcess, AgentProcess]
  readonly workers: readonly [AppProcess, AppProcess]
  /** For what the turns write beside the store. */
  readonly folder: string
  /** The worker that has written its process id to this file. */
  workerAt(file: string): Promise<AppProcess>
}

export interface ReplicaOptions {
  /** @default a new database of the run's Postgres */
  readonly databaseUrl?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts two agents without workers and two workers; they end with the test. */
export async function startReplicas(options: ReplicaOptions = {}): Promise<Replicas> {
  const { databaseUrl = await createDatabase(inject('postgres')) } = options
  const env = { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: inject('engine'), ...options.env }
  const folder = await temporaryFolder()
  const worker = () => ended(startWorkerProcess(env))
  const workers = [worker(), worker()] as const
  const agents = await Promise.all([startAgent(env), startAgent(env)])
  return {
    agents,
    workers,
    folder,
    async workerAt(file) {
      const pid = await until(async () => Number(await readFile(file, 'utf8').catch(() => '')) || undefined)
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
