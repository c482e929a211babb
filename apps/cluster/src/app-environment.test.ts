import { expect, it } from 'vitest'
import { agentEnvironment, workerEnvironment } from './app-environment.js'

const coordinates = {
  databaseUrl: 'postgres://postgres:secret@127.0.0.1:5432/moorage',
  temporalAddress: '127.0.0.1:7233',
  temporalConfigFile: '/cluster/temporal/client.toml',
  baseUrl: 'http://127.0.0.1:8080',
}
const shared = {
  DATABASE_URL: coordinates.databaseUrl,
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  TEMPORAL_NAMESPACE: 'default',
  TEMPORAL_CONFIG_FILE: '/cluster/temporal/client.toml',
}

it('tells an agent where everything is, and a worker, with their own ports', () => {
  expect(agentEnvironment({}, coordinates, 1)).toMatchObject({
    ...shared,
    HOST: '127.0.0.1',
    PORT: '1',
    MOORAGE_BASE_URL: 'http://127.0.0.1:8080',
    MOORAGE_WORKER: 'off',
  })
  expect(workerEnvironment({}, coordinates, 2)).toMatchObject({ ...shared, MOORAGE_HEALTH_PORT: '2' })
})

it('passes what the user has set, but nothing that would lead elsewhere', () => {
  const env = {
    PATH: '/bin',
    MOORAGE_AGENT: 'agent.ts',
    MOORAGE_DATA_DIR: '/elsewhere',
    MOORAGE_CLUSTER_DIR: '/cluster',
    DATABASE_URL: 'postgres://elsewhere',
    TEMPORAL_API_KEY: 'key',
    HOST: '0.0.0.0',
    PORT: '8080',
  }
  const worker = workerEnvironment(env, coordinates, 2)
  expect(worker).toEqual({ PATH: '/bin', MOORAGE_AGENT: 'agent.ts', ...shared, MOORAGE_HEALTH_PORT: '2' })
  expect(agentEnvironment(env, coordinates, 1)).not.toHaveProperty('TEMPORAL_API_KEY')
})
