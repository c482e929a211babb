import { childEnvironment } from '@moorage/engine/programs'

/** Where the processes of both apps find each other. */
export interface Coordinates {
  readonly databaseUrl: string
  readonly temporalAddress: string
  /** Temporal's configuration file of this machine's user must not reach the apps: this one says nothing. */
  readonly temporalConfigFile: string
  /** Where clients reach the agents. */
  readonly baseUrl: string
}

export const NAMESPACE = 'default'

/** What the cluster decides, whatever the environment says. */
const DECIDED = ['DATABASE_URL', 'MOORAGE_CLUSTER_DIR', 'MOORAGE_DATA_DIR', 'MOORAGE_WORKER', 'MOORAGE_HEALTH_PORT', 'HOST', 'PORT']

/** The environment of an agent that serves and runs no turns. */
export function agentEnvironment(env: Environment, coordinates: Coordinates, port: number): Record<string, string> {
  return {
    ...shared(env, coordinates),
    HOST: '127.0.0.1',
    PORT: String(port),
    MOORAGE_BASE_URL: coordinates.baseUrl,
    MOORAGE_WORKER: 'off',
  }
}

/** The environment of a worker, which runs the turns. */
export function workerEnvironment(env: Environment, coordinates: Coordinates, healthPort: number): Record<string, string> {
  return { ...shared(env, coordinates), MOORAGE_HEALTH_PORT: String(healthPort) }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The user's own variables reach the apps, so that MOORAGE_AGENT, LOG_LEVEL and the limits hold here too. */
function shared(env: Environment, { databaseUrl, temporalAddress, temporalConfigFile }: Coordinates): Record<string, string> {
  const kept = Object.entries(childEnvironment(env)).filter(([name]) => !DECIDED.includes(name))
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: NAMESPACE,
    TEMPORAL_CONFIG_FILE: temporalConfigFile,
  }
}
