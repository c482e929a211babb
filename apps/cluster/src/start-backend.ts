import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NAMESPACE } from './app-environment.js'
import type { Ports } from './ports.js'
import { type KeptProcess, keepRunning, type ProcessEvent } from './processes/keep-running.js'
import { Postgres } from './processes/postgres.js'
import { startTemporal } from './processes/start-temporal.js'
import type { Teardown } from './teardown.js'
import type { ServerPrograms } from './temporal/ensure-server.js'
import { prepareSchema } from './temporal/prepare-schema.js'
import { registerNamespace } from './temporal/register-namespace.js'
import { serverConfig } from './temporal/server-config.js'

export interface StartBackendOptions {
  readonly folder: string
  readonly ports: Ports
  readonly programs: ServerPrograms
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onEvent: (event: ProcessEvent) => void
  /** Gets what is to be stopped, as it is started. */
  readonly teardown: Teardown
}

/** Temporal and Postgres, running. */
export interface Backend {
  readonly temporalAddress: string
  /** URL of the database `postgres`, with the superuser's password. */
  readonly postgresUrl: string
  readonly processes: readonly KeptProcess[]
}

const RETENTION_MS = 72 * 3_600_000

/** Starts Postgres and, on it, Temporal's four services; both are kept running. Resolves once the namespace can be used. */
export async function startBackend(options: StartBackendOptions, signal: AbortSignal): Promise<Backend> {
  const { folder, ports, programs, env, onEvent, teardown } = options
  const postgres = new Postgres({ dataDir: join(folder, 'postgres'), port: ports.postgres })
  const keptPostgres = await keepRunning({ name: 'Postgres', start: (stop) => postgres.start(stop), onEvent }, signal)
  teardown.add('Postgres', () => keptPostgres.stop())

  const configDir = join(folder, 'temporal')
  await mkdir(configDir, { recursive: true })
  const { url: postgresUrl } = postgres
  const { schemaTool } = programs
  const databaseUrl = await prepareSchema({ postgresUrl, database: 'temporal', schema: 'temporal', schemaTool })
  const visibilityUrl = await prepareSchema({ postgresUrl, database: 'temporal_visibility', schema: 'visibility', schemaTool })
  // It holds the password of the database.
  const config = serverConfig({ ports: ports.temporal, databaseUrl, visibilityUrl })
  await writeFile(join(configDir, 'cluster.yaml'), config, { mode: 0o600 })

  const frontendPort = ports.temporal.frontend.grpc
  const temporal = { server: programs.server, configDir, frontendPort, env, logFile: join(folder, 'logs', 'temporal.log') }
  const keptTemporal = await keepRunning({ name: 'Temporal', start: (stop) => startTemporal(temporal, stop), onEvent }, signal)
  teardown.add('Temporal', () => keptTemporal.stop())
  const address = `127.0.0.1:${frontendPort}`
  await registerNamespace({ address, namespace: NAMESPACE, retentionMs: RETENTION_MS, signal })
  return { temporalAddress: address, postgresUrl, processes: [keptPostgres, keptTemporal] }
}
