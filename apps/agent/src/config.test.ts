import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '@moorage/bootstrap'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from './config.js'
import { CONFIG_VARIABLES } from './config-variables.js'
import { temporaryFolder } from './temporary-folder.js'

const cwd = '/work/somewhere'

function parse(env: Record<string, string>): Promise<Config> {
  return readConfig(env, cwd)
}

async function faultsOf(env: Record<string, string>): Promise<readonly string[]> {
  const error = await parse(env).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  return (error as ConfigError).faults
}

describe('readConfig', () => {
  it('needs nothing to be set', async () => {
    expect(await parse({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      baseUrl: undefined,
      agentPath: undefined,
      dataDir: join(cwd, '.moorage'),
      logLevel: 'info',
      ratePerMinute: 120,
      streamsPerPeer: 100,
      maxStreams: 10_000,
      maxRequestBytes: 1_048_576,
      temporal: { kind: 'embedded' },
      warnings: [],
    })
  })

  it('takes keys for push notification configs, and shows none of them', async () => {
    const key = Buffer.alloc(32, 1)
    expect((await parse({ MOORAGE_PUSH_KEYS: `k:${key.toString('base64')}` })).pushKeys).toEqual([{ id: 'k', key: new Uint8Array(key) }])
    const faults = await faultsOf({ MOORAGE_PUSH_KEYS: 'hunter2' })
    expect(faults).toEqual([expect.stringMatching(/^MOORAGE_PUSH_KEYS must be id:key pairs .*; entry 1 is no such pair$/)])
  })

  it('takes the defaults of the table', async () => {
    const literal = CONFIG_VARIABLES.filter((row) => !row.default.startsWith('(') && !row.name.startsWith('TEMPORAL_'))
    expect(await parse(Object.fromEntries(literal.map((row) => [row.name, row.default])))).toEqual(await parse({}))
  })

  it('describes every variable in the table', async () => {
    for (const row of CONFIG_VARIABLES) {
      expect(row.default, row.name).toMatch(/./)
      expect(row.default, row.name).not.toBe('undefined')
      expect(row.meaning, row.name).toMatch(/^[A-Zhp]/)
    }
  })

  it('names every fault at once, with the variable, what it must be and what it is', async () => {
    const faults = await faultsOf({
      PORT: '80800',
      HOST: 'http://localhost',
      MOORAGE_BASE_URL: 'agent.example',
      LOG_LEVEL: 'loud',
      MOORAGE_RATE_PER_MINUTE: '-1',
      MOORAGE_MAX_REQUEST_BYTES: '1 MB',
      TEMPORAL_ADDRESS: 'temporal.example:7233',
    })
    expect(faults).toEqual([
      'HOST must be an address or a host name to listen on, without scheme, port or path; it is "http://localhost"',
      'PORT must be a whole number from 0 to 65535; it is "80800"',
      'MOORAGE_BASE_URL must be an http or https URL without query and fragment, such as https://agent.example; it is "agent.example"',
      'MOORAGE_RATE_PER_MINUTE must be a whole number from 0 to 1000000; it is "-1"',
      'MOORAGE_MAX_REQUEST_BYTES must be a whole number from 1024 to 104857600; it is "1 MB"',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent; it is "loud"',
      expect.stringMatching(/^Temporal is at temporal.example:7233, .* set DATABASE_URL .*, or unset TEMPORAL_ADDRESS/),
    ])
  })

  it('takes a variable that is set to nothing as not set', async () => {
    expect(await parse({ PORT: '', HOST: ' ', TEMPORAL_ADDRESS: '' })).toEqual(await parse({}))
  })

  it('makes paths absolute, from the folder where the command was run', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'agent.ts'), '')
    const config = await readConfig({ MOORAGE_AGENT: 'agent.ts', MOORAGE_DATA_DIR: '../data' }, folder)
    expect(config.agentPath).toBe(join(folder, 'agent.ts'))
    expect(config.dataDir).toBe(join(folder, '../data'))
  })

  it('looks for what the variables name, and tells all that is missing at once', async () => {
    expect(await faultsOf({ HOST: '192.0.2.1', MOORAGE_AGENT: 'nothing.ts', TEMPORAL_CLI: 'nowhere/temporal', PORT: 'x' })).toEqual([
      'PORT must be a whole number from 0 to 65535; it is "x"',
      'HOST is 192.0.2.1, which is no address of this machine. Set it to 127.0.0.1, or to an address that is',
      'MOORAGE_AGENT names /work/somewhere/nothing.ts, which does not exist. Give the path of the module, relative to the folder where you run the command',
      'TEMPORAL_CLI names /work/somewhere/nowhere/temporal, which does not exist. Point it at a Temporal CLI, or unset it to have one found or fetched',
    ])
  })

  it('serves one agent: a list of them is for apps/worker', async () => {
    expect(await faultsOf({ MOORAGE_AGENT: 'a.ts,b.ts' })).toEqual([
      expect.stringMatching(/a\.ts,b\.ts, which does not exist\..*; a list of modules is for apps\/worker$/),
    ])
  })

  it('does not look at a CLI that it would not use', async () => {
    expect((await parse({ TEMPORAL_CLI: '/nowhere', TEMPORAL_ADDRESS: 'localhost:7233' })).temporalCli).toBe('/nowhere')
  })

  it('leaves the worker out where it is told to', async () => {
    expect((await parse({})).runsWorker).toBe(true)
    expect((await parse({ MOORAGE_WORKER: 'off' })).runsWorker).toBe(false)
    expect(await faultsOf({ MOORAGE_WORKER: 'no' })).toEqual(['MOORAGE_WORKER must be one of on, off; it is "no"'])
  })

  it.each(['ftp://agent.example', 'https://agent.example?x=1', 'https://me@agent.example', 'https://agent.example/a b'])(
    'refuses %s as base URL',
    async (url) => {
      expect(await faultsOf({ MOORAGE_BASE_URL: url })).toEqual([expect.stringContaining('MOORAGE_BASE_URL must be an http or https URL')])
    },
  )

  it('takes the slash off the end of a base URL', async () => {
    expect((await parse({ MOORAGE_BASE_URL: 'https://agent.example/bots/' })).baseUrl).toBe('https://agent.example/bots')
  })

  it('warns of an address that others reach', async () => {
    expect((await parse({ HOST: '0.0.0.0' })).warnings).toHaveLength(2)
  })

  it('warns of a variable that does not exist', async () => {
    expect((await parse({ MOORAGE_RATE: '5' })).warnings).toEqual(['MOORAGE_RATE: without effect, since there is no such variable'])
  })

  it('does not warn of what apps/worker reads', async () => {
    expect((await parse({ MOORAGE_HEALTH_PORT: '9000' })).warnings).toEqual([])
  })

  it('cannot be changed', async () => {
    expect(Object.isFrozen(await parse({}))).toBe(true)
  })
})
