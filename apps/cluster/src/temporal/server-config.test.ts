import { expect, it } from 'vitest'
import { serverConfig } from './server-config.js'

const ports = {
  frontend: { grpc: 1, membership: 2 },
  history: { grpc: 3, membership: 4 },
  matching: { grpc: 5, membership: 6 },
  worker: { grpc: 7, membership: 8 },
}

it('gives each service its ports on loopback, and each store its database', () => {
  const text = serverConfig({
    ports,
    databaseUrl: 'postgres://user%40home:p%2Fss@127.0.0.1:5432/temporal',
    visibilityUrl: 'postgres://user%40home:p%2Fss@127.0.0.1:5432/temporal_visibility',
  })
  const sql = { pluginName: 'postgres12', connectAddr: '127.0.0.1:5432', user: 'user@home', password: 'p/ss' }
  expect(JSON.parse(text)).toMatchObject({
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: {
        default: { sql: { ...sql, databaseName: 'temporal' } },
        visibility: { sql: { ...sql, databaseName: 'temporal_visibility' } },
      },
    },
    global: { membership: { broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: { rpc: { grpcPort: 1, membershipPort: 2, bindOnLocalHost: true } },
      history: { rpc: { grpcPort: 3, membershipPort: 4, bindOnLocalHost: true } },
      matching: { rpc: { grpcPort: 5, membershipPort: 6, bindOnLocalHost: true } },
      worker: { rpc: { grpcPort: 7, membershipPort: 8, bindOnLocalHost: true } },
    },
    clusterMetadata: { clusterInformation: { active: { rpcAddress: '127.0.0.1:1' } } },
  })
})
