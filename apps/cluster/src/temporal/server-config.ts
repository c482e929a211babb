/** Ports of one of the server's four services. */
export interface ServicePorts {
  readonly grpc: number
  readonly membership: number
}

/** The server's four services, which run in one process. */
export const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const

export type TemporalPorts = Readonly<Record<(typeof SERVICES)[number], ServicePorts>>

export interface ServerConfigOptions {
  readonly ports: TemporalPorts
  /** URLs of the databases of tasks and of visibility. */
  readonly databaseUrl: string
  readonly visibilityUrl: string
}

/**
 * The server's configuration, after Temporal's `development-postgres12.yaml`, for everything on loopback. It is JSON, which YAML includes: nothing
 * in it needs to be escaped. What is not said is the server's default, dynamic configuration too.
 */
export function serverConfig({ ports, databaseUrl, visibilityUrl }: ServerConfigOptions): string {
  const services = SERVICES.map((name) => [
    name,
    { rpc: { grpcPort: ports[name].grpc, membershipPort: ports[name].membership, bindOnLocalHost: true } },
  ])
  const self = { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: `127.0.0.1:${ports.frontend.grpc}` }
  const config = {
    log: { level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      // Cannot be changed once the database is made.
      numHistoryShards: 4,
      datastores: { default: datastore(databaseUrl, 20), visibility: datastore(visibilityUrl, 5) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(services) as unknown,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: { active: self },
    },
    dcRedirectionPolicy: { policy: 'noop' },
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

function datastore(databaseUrl: string, maxConns: number): object {
  const url = new URL(databaseUrl)
  const sql = {
    pluginName: 'postgres12',
    databaseName: decodeURIComponent(url.pathname.slice(1)),
    connectAddr: url.host,
    connectProtocol: 'tcp',
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    maxConns,
    maxIdleConns: maxConns,
    maxConnLifetime: '1h',
  }
  return { sql }
}
