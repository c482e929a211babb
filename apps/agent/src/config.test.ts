import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from './config.js'
import { ConfigError } from './config-error.js'
import { CONFIG_VARIABLES } from './config-variables.js'

const cwd = '/work/somewhere'

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env, cwd)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

describe('parseConfig', () => {
  it('needs nothing to be set', () => {
    expect(parseConfig({}, cwd)).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      baseUrl: undefined,
      agentPath: undefined,
      dataDir: join(cwd, '.moorage'),
      logLevel: 'info',
      ratePerMinute: 120,
      maxRequestBytes: 1_048_576,
      temporal: { kind: 'embedded' },
      warnings: [],
    })
  })

  it('takes the defaults of the table', () => {
    const literal = CONFIG_VARIABLES.filter((row) => !row.default.startsWith('(') && !row.name.startsWith('TEMPORAL_'))
    expect(parseConfig(Object.fromEntries(literal.map((row) => [row.name, row.default])), cwd)).toEqual(parseConfig({}, cwd))
  })

  it('describes every variable in the table', () => {
    for (const row of CONFIG_VARIABLES) {
      expect(row.default, row.name).toMatch(/./)
      expect(row.default, row.name).not.toBe('undefined')
      expect(row.meaning, row.name).toMatch(/^[A-Zh]/)
    }
  })

  it('names every fault at once, with the variable, what it must be and what it is', () => {
    const faults = faultsOf({
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
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent; it is "loud"',
      'MOORAGE_RATE_PER_MINUTE must be a whole number from 0 to 1000000; it is "-1"',
      'MOORAGE_MAX_REQUEST_BYTES must be a whole number from 1024 to 104857600; it is "1 MB"',
      'TEMPORAL_ADDRESS must be on this machine (127.0.0.1, ::1 or localhost), since the tasks are in a SQLite file here; ' +
        'it is temporal.example:7233. Unset it to use the embedded engine',
    ])
  })

  it('takes a variable that is set to nothing as not set', () => {
    expect(parseConfig({ PORT: '', HOST: ' ', TEMPORAL_ADDRESS: '' }, cwd)).toEqual(parseConfig({}, cwd))
  })

  it('makes paths absolute, from the folder where the command was run', () => {
    const config = parseConfig({ MOORAGE_AGENT: 'agents/mine.ts', MOORAGE_DATA_DIR: '../data', TEMPORAL_CLI: 'bin/temporal' }, cwd)
    expect(config.agentPath).toBe('/work/somewhere/agents/mine.ts')
    expect(config.dataDir).toBe('/work/data')
    expect(config.temporalCli).toBe('/work/somewhere/bin/temporal')
  })

  it.each(['ftp://agent.example', 'https://agent.example?x=1', 'https://me@agent.example', 'https://agent.example/a b'])(
    'refuses %s as base URL',
    (url) => {
      expect(faultsOf({ MOORAGE_BASE_URL: url })).toEqual([expect.stringContaining('MOORAGE_BASE_URL must be an http or https URL')])
    },
  )

  it('takes the slash off the end of a base URL', () => {
    expect(parseConfig({ MOORAGE_BASE_URL: 'https://agent.example/bots/' }, cwd).baseUrl).toBe('https://agent.example/bots')
  })

  it.each(['192.168.1.5', 'agent.internal'])('warns that %s is reached by others', (host) => {
    expect(parseConfig({ HOST: host }, cwd).warnings).toEqual([
      `HOST is ${host}: whoever reaches this machine can use the agent, since it has no authentication yet`,
    ])
  })

  it.each(['0.0.0.0', '::'])('warns that the card cannot say where %s is', (host) => {
    expect(parseConfig({ HOST: host }, cwd).warnings).toHaveLength(2)
    expect(parseConfig({ HOST: host }, cwd).warnings[1]).toMatch(/^MOORAGE_BASE_URL is not set/)
    expect(parseConfig({ HOST: host, MOORAGE_BASE_URL: 'https://agent.example' }, cwd).warnings).toHaveLength(1)
  })

  it.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('does not warn of %s', (host) => {
    expect(parseConfig({ HOST: host }, cwd).warnings).toEqual([])
  })

  it('warns of a variable that does not exist', () => {
    expect(parseConfig({ MOORAGE_RATE: '5' }, cwd).warnings).toEqual(['MOORAGE_RATE: without effect, since there is no such variable'])
  })

  it('cannot be changed', () => {
    expect(Object.isFrozen(parseConfig({}, cwd))).toBe(true)
  })
})
