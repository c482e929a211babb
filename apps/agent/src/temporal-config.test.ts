import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ignoredTemporalVariables, readTemporalConfig } from './temporal-config.js'
import { temporaryFolder } from './temporary-folder.js'

async function configurationFile(content: string): Promise<string> {
  const path = join(await temporaryFolder(), 'temporal.toml')
  await writeFile(path, content)
  return path
}

describe('readTemporalConfig', () => {
  it('chooses the embedded engine where no server is named', () => {
    expect(readTemporalConfig({ TEMPORAL_NAMESPACE: 'mine' })).toEqual([{ kind: 'embedded' }, []])
  })

  it.each(['127.0.0.1:7233', '127.0.0.1', 'localhost:7233', '[::1]:7233', '::1', 'LOCALHOST:7233'])(
    'takes %s, which is this machine',
    (address) => {
      const [config, faults] = readTemporalConfig({ TEMPORAL_ADDRESS: address })
      expect(faults).toEqual([])
      expect(config).toMatchObject({ kind: 'external', address, namespace: 'default' })
    },
  )

  it.each(['temporal.example:7233', '10.0.0.1:7233', '[2001:db8::1]:7233', '0.0.0.0:7233'])('refuses %s for a SQLite store', (address) => {
    expect(readTemporalConfig({ TEMPORAL_ADDRESS: address })[1]).toEqual([expect.stringContaining(`it is ${address}. Unset it`)])
  })

  it('takes namespace, key and TLS from the environment', () => {
    const [config] = readTemporalConfig({
      TEMPORAL_ADDRESS: 'localhost:7233',
      TEMPORAL_NAMESPACE: 'mine',
      TEMPORAL_API_KEY: 'secret',
      TEMPORAL_TLS_SERVER_NAME: 'inner',
    })
    expect(config).toMatchObject({ namespace: 'mine', connection: { apiKey: 'secret', tls: { serverNameOverride: 'inner' } } })
  })

  it("takes the address from a profile of Temporal's configuration file", async () => {
    const file = await configurationFile('[profile.near]\naddress = "localhost:7999"\nnamespace = "near"\n')
    const [config, faults] = readTemporalConfig({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'near' })
    expect(faults).toEqual([])
    expect(config).toMatchObject({ kind: 'external', address: 'localhost:7999', namespace: 'near' })
  })

  it('says that a profile is missing', async () => {
    const file = await configurationFile('[profile.near]\naddress = "localhost:7999"\n')
    expect(readTemporalConfig({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'far' })[1]).toEqual([
      "Temporal's configuration cannot be read (TEMPORAL_… variables, or the file that they name): Profile 'far' not found in config data",
    ])
  })

  it('says that a file of certificates is missing', () => {
    const [, faults] = readTemporalConfig({ TEMPORAL_ADDRESS: 'localhost:7233', TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere/ca.pem' })
    expect(faults).toEqual([expect.stringContaining('/nowhere/ca.pem')])
  })
})

describe('ignoredTemporalVariables', () => {
  it('lists what has no effect on the embedded engine', () => {
    const env = { TEMPORAL_NAMESPACE: 'mine', TEMPORAL_TLS: 'true', TEMPORAL_CLI: '/bin/temporal' }
    expect(ignoredTemporalVariables(env, { kind: 'embedded' })).toEqual(['TEMPORAL_NAMESPACE', 'TEMPORAL_TLS'])
  })

  it('lists nothing where a server is named', () => {
    const env = { TEMPORAL_ADDRESS: 'localhost:7233', TEMPORAL_NAMESPACE: 'mine' }
    expect(ignoredTemporalVariables(env, readTemporalConfig(env)[0])).toEqual([])
  })
})
