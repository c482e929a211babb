import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkSharesMachine, ignoredTemporalVariables, readTemporalConfig, type TemporalConfig } from './temporal-config.js'
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

  it('takes the server that TEMPORAL_ADDRESS names', () => {
    const [config, faults] = readTemporalConfig({ TEMPORAL_ADDRESS: 'temporal.example:7233' })
    expect(faults).toEqual([])
    expect(config).toMatchObject({ kind: 'external', address: 'temporal.example:7233', namespace: 'default' })
  })

  it.each(['127.0.0.1:7233 ', ' [::1]:7233', 'temporal_1:7233'])('takes %j, without the space around it', (address) => {
    const [config, faults] = readTemporalConfig({ TEMPORAL_ADDRESS: address })
    expect(faults).toEqual([])
    expect(config).toMatchObject({ address: address.trim(), connection: { address: address.trim() } })
  })

  it.each([
    'http://127.0.0.1:7233',
    '127.0.0.1',
    'localhost:',
    'localhost:0',
    'localhost:99999',
    ':7233',
    '::1',
    '[nowhere]:7233',
    'a b:7233',
    'localhost:7233/x',
  ])('refuses %j as address, together with the other faults', (address) => {
    expect(readTemporalConfig({ TEMPORAL_ADDRESS: address, TEMPORAL_TLS: 'maybe' })).toEqual([
      { kind: 'embedded' },
      [
        `TEMPORAL_ADDRESS must be host:port, such as 127.0.0.1:7233, without scheme and path; it is "${address}"`,
        'TEMPORAL_TLS must be true or false; it is "maybe"',
      ],
    ])
  })

  it('says which profile has an address that cannot be used', async () => {
    const file = await configurationFile('[profile.near]\naddress = "http://localhost:7999"\n')
    expect(readTemporalConfig({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'near' })[1]).toEqual([
      `The address of the profile near in TEMPORAL_CONFIG_FILE (${file}) must be host:port, such as 127.0.0.1:7233, without scheme and path; it is "http://localhost:7999"`,
    ])
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

  it.each([
    [
      'a profile that is missing',
      '[profile.near]\naddress = "localhost:7999"\n',
      { TEMPORAL_PROFILE: 'far' },
      /^TEMPORAL_PROFILE is far, and .* has no such/,
    ],
    [
      'a profile without an address',
      '[profile.near]\nnamespace = "x"\n',
      { TEMPORAL_PROFILE: 'near' },
      /name a profile without an address: set TEMPORAL_ADDRESS/,
    ],
    ['what is no TOML', '[profile.near]\naddress = \n', {}, /^TEMPORAL_CONFIG_FILE \(.*\) cannot be used \(line 2\): /],
  ])('says of %s which variable it is', async (_what, content, env, sentence) => {
    const file = await configurationFile(content)
    expect(readTemporalConfig({ TEMPORAL_CONFIG_FILE: file, ...env })[1]).toEqual([expect.stringMatching(sentence)])
  })

  it('says that the configuration file is missing', () => {
    expect(readTemporalConfig({ TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml', TEMPORAL_ADDRESS: 'localhost:7233' })[1]).toEqual([
      "TEMPORAL_CONFIG_FILE names /nowhere/temporal.toml, which does not exist. Give the path of Temporal's configuration file, or unset it",
    ])
  })
})

describe('checkSharesMachine', () => {
  const external = (address: string): TemporalConfig => ({ kind: 'external', address, namespace: 'default', connection: { address } })

  it.each(['127.0.0.1:7233', '127.0.0.1', 'localhost:7233', '[::1]:7233', '::1', 'LOCALHOST:7233'])(
    'takes %s, which is this machine',
    (address) => {
      expect(checkSharesMachine({ TEMPORAL_ADDRESS: address }, external(address))).toEqual([])
    },
  )

  it.each(['temporal.example:7233', '10.0.0.1:7233', '[2001:db8::1]:7233', '0.0.0.0:7233'])(
    'refuses %s and says both ways out',
    (address) => {
      expect(checkSharesMachine({ TEMPORAL_ADDRESS: address }, external(address))).toEqual([
        `Temporal is at ${address}, which is not on this machine, and the tasks are in a SQLite file here: set DATABASE_URL to a Postgres ` +
          'database that every process reaches, or unset TEMPORAL_ADDRESS to use the embedded engine',
      ])
    },
  )
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
