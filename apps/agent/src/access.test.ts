import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError, checkPort, createLogger } from '@moorage/bootstrap'
import { CardError } from '@moorage/card'
import type { AgentCardJson } from '@moorage/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from './config.js'
import { type RunningAgent, startAgent } from './start.js'
import { temporaryFolder } from './temporary-folder.js'

const KEY = 'k-of-ann'
const hash = (key: string) => createHash('sha256').update(key).digest('hex')
const ISSUER = {
  MOORAGE_JWT_ISSUER: 'https://issuer.example',
  MOORAGE_JWT_AUDIENCE: 'agent',
  MOORAGE_JWT_JWKS_URL: 'https://issuer.example/jwks.json',
}
const PERIMETER = {
  MOORAGE_PERIMETER_HEADER: 'X-User',
  MOORAGE_PERIMETER_ADDRESSES: '127.0.0.1,10.0.0.0/8',
  MOORAGE_PERIMETER_SCHEME: 'login',
}

async function faultsOf(env: Record<string, string>): Promise<readonly string[]> {
  const error = await readConfig(env, '/work/somewhere').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  return (error as ConfigError).faults
}

async function start(env: Record<string, string>, files: Record<string, string> = {}): Promise<RunningAgent> {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  const TEMPORAL_ADDRESS = `127.0.0.1:${await checkPort('127.0.0.1', 0)}`
  const config = await readConfig({ PORT: '0', MOORAGE_DATA_DIR: join(folder, 'data'), TEMPORAL_ADDRESS, ...env }, folder)
  const ports = { env: process.env, logger: createLogger('silent'), progress: () => undefined, signal: new AbortController().signal }
  const running = await startAgent(config, ports)
  onTestFinished(() => running.stop())
  return running
}

const list = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/a2a/tasks`, { headers: { 'A2A-Version': '1.0', ...headers } })

describe('who may call, by the environment', () => {
  it('is everybody where nothing is set', async () => {
    expect((await readConfig({}, '/')).access).toEqual({ jwt: undefined, apiKeys: undefined, perimeter: undefined, modulePath: undefined })
  })

  it('takes issuer, keys and proxy', async () => {
    const { access, warnings } = await readConfig(
      {
        ...ISSUER,
        ...PERIMETER,
        MOORAGE_JWT_ALGORITHMS: 'RS256, ES256',
        MOORAGE_API_KEYS: `ann:${hash('a')}, bob@acme:${hash('b')}`,
        MOORAGE_API_KEY_IN: 'query:key',
      },
      '/',
    )
    expect(access).toMatchObject({
      jwt: { issuer: 'https://issuer.example', audience: 'agent', algorithms: ['RS256', 'ES256'], tenant: undefined },
      apiKeys: {
        location: 'query',
        name: 'key',
        keys: [
          { subject: 'ann', tenant: '', digest: hash('a') },
          { subject: 'bob', tenant: 'acme', digest: hash('b') },
        ],
      },
      perimeter: { header: 'X-User', addresses: ['127.0.0.1', '10.0.0.0/8'], scheme: 'login' },
    })
    expect(warnings).toEqual([])
  })

  it('names a place for API keys that means something else', async () => {
    const hash = 'a'.repeat(64)
    expect(await faultsOf({ MOORAGE_API_KEYS: `ann:${hash}`, MOORAGE_API_KEY_IN: 'header:X-Participant-Id' })).toEqual([
      expect.stringMatching(/^MOORAGE_API_KEY_IN must name another place: X-Participant-Id means something else in a request/),
    ])
  })

  it('names every variable that is wrong, at once', async () => {
    const wrong = {
      MOORAGE_JWT_JWKS_URL: 'http://issuer.example/jwks.json',
      MOORAGE_JWT_ALGORITHMS: 'HS256',
      MOORAGE_API_KEY_IN: 'body:key',
      MOORAGE_PERIMETER_HEADER: 'X User',
      MOORAGE_PERIMETER_ADDRESSES: '10.0.0.1,proxy',
      MOORAGE_ACCESS: 'nothing.ts',
    }
    expect(await faultsOf(wrong)).toEqual([
      expect.stringMatching(/^MOORAGE_JWT_JWKS_URL must be an https URL, or an http one on this machine/),
      expect.stringMatching(/^MOORAGE_JWT_ALGORITHMS must be a list of RS256, .*; it is "HS256"$/),
      expect.stringMatching(/^MOORAGE_API_KEY_IN must be header:NAME, query:NAME or cookie:NAME/),
      expect.stringMatching(/^MOORAGE_PERIMETER_HEADER must be the name of a header/),
      expect.stringMatching(/^MOORAGE_PERIMETER_ADDRESSES must be an address or a CIDR range, .*; entry 2 is not/),
      'MOORAGE_JWT_ISSUER is not set. Bearer tokens need MOORAGE_JWT_ISSUER, MOORAGE_JWT_AUDIENCE, MOORAGE_JWT_JWKS_URL: set it, or unset MOORAGE_JWT_JWKS_URL, MOORAGE_JWT_ALGORITHMS',
      expect.stringMatching(/^MOORAGE_JWT_AUDIENCE is not set\./),
      'MOORAGE_API_KEYS is not set. API keys need MOORAGE_API_KEYS: set it, or unset MOORAGE_API_KEY_IN',
      expect.stringMatching(/^MOORAGE_PERIMETER_SCHEME is not set\. A trusted proxy needs /),
      expect.stringMatching(/^MOORAGE_ACCESS names \/work\/somewhere\/nothing\.ts, which does not exist/),
    ])
  })

  it('shows nothing of what may be a key', async () => {
    const faults = await faultsOf({ MOORAGE_API_KEYS: `hunter2,ann:hunter2,anonymous:${hash('a')},bob:${hash('b')},eve:${hash('b')}` })
    expect(faults).toEqual([
      expect.stringMatching(/^MOORAGE_API_KEYS must be subject:hash .*; entry 1 is no such pair$/),
      expect.stringMatching(/; entry 2 \(ann\) has no SHA-256 in hex/),
      expect.stringMatching(/; entry 3 names no subject/),
      expect.stringMatching(/; entry 5 \(eve\) has the key of another entry/),
    ])
    expect(faults.join()).not.toContain('hunter2')
  })
})

describe('startAgent', () => {
  it('knows callers by their API keys, and has the card say so', async () => {
    const { url, card } = await start({ MOORAGE_API_KEYS: `ann:${hash(KEY)}` })
    const served = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as object
    expect(served).toMatchObject({
      securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } },
      securityRequirements: [{ schemes: { apiKey: {} } }],
    })
    expect(card.securityRequirements).toHaveLength(1)
    const refused = await list(url)
    expect([refused.status, refused.headers.get('WWW-Authenticate')]).toEqual([401, expect.stringContaining('X-API-Key')])
    expect((await list(url, { 'X-API-Key': 'k-of-eve' })).status).toBe(401)
    expect((await list(url, { 'X-API-Key': KEY })).status).toBe(200)
  })

  it('asks the module of MOORAGE_ACCESS after that', async () => {
    const module = `import { defineAuthenticator } from '@moorage/server/authentication'
      const schemes = { note: { apiKeySecurityScheme: { location: 'header', name: 'X-Note' } } }
      export const authenticate = [defineAuthenticator({ schemes, authenticate: ({ headers }) => headers.get('X-Note') === 'me' ? { subject: 'me' } : undefined })]`
    const { url, card } = await start({ MOORAGE_ACCESS: 'access.ts', MOORAGE_API_KEYS: `ann:${hash(KEY)}` }, { 'access.ts': module })
    expect(Object.keys(card.securitySchemes ?? {})).toEqual(['apiKey', 'note'])
    const answers = [await list(url), await list(url, { 'X-Note': 'me' }), await list(url, { 'X-API-Key': KEY })]
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200])
  })

  it('trusts a proxy for the scheme that the card declares', async () => {
    const agent = `import { defineAgent } from '@moorage/agent'
      const login = { httpAuthSecurityScheme: { scheme: 'Basic' } }
      export default defineAgent({ id: 'mine', card: { securitySchemes: { login } }, turn: (turn) => turn.complete() })`
    const files = { 'agent.mts': agent }
    const { url } = await start({ ...PERIMETER, MOORAGE_AGENT: 'agent.mts' }, files)
    expect([(await list(url)).status, (await list(url, { 'X-User': 'ann' })).status]).toEqual([401, 200])
    await expect(start({ ...PERIMETER, MOORAGE_AGENT: 'agent.mts', MOORAGE_PERIMETER_SCHEME: 'sso' }, files)).rejects.toThrow(
      'MOORAGE_PERIMETER_SCHEME is "sso", but the agent\'s card declares login. Declare there',
    )
    await expect(start({ MOORAGE_AGENT: 'agent.mts' }, files)).rejects.toThrow(CardError)
  })

  it('refuses a module that does nothing for who may call', async () => {
    await expect(start({ MOORAGE_ACCESS: 'access.mjs' }, { 'access.mjs': 'export const mayActFor = () => true' })).rejects.toThrow(
      /MOORAGE_ACCESS: .* exports mayActFor, which has no effect/,
    )
  })

  it('shows each caller of the example its own card', async () => {
    const MOORAGE_AGENT = fileURLToPath(new URL('../../../examples/extended-card/agent.ts', import.meta.url))
    const { url } = await start({ MOORAGE_AGENT, MOORAGE_API_KEYS: `ann@staff:${hash(KEY)},bob:${hash('k-of-bob')}` })
    const extended = async (key: string) => {
      const response = await fetch(`${url}/a2a/extendedAgentCard`, { headers: { 'A2A-Version': '1.0', 'X-API-Key': key } })
      const { description, skills = [] } = (await response.json()) as Partial<AgentCardJson>
      return [response.status, description, skills.map(({ id }) => id)]
    }
    expect(await extended('')).toEqual([401, undefined, []])
    expect(await extended('k-of-bob')).toEqual([200, 'Looks after the orders of bob.', ['answer']])
    expect(await extended(KEY)).toEqual([200, 'Looks after the orders of ann.', ['answer', 'refund']])
    await expect(start({ MOORAGE_AGENT })).rejects.toThrow(
      'The card declares capabilities.extendedAgentCard, for which callers have to be known: set MOORAGE_JWT_ISSUER',
    )
  })

  it('stops where nothing makes the extended card that the card declares', async () => {
    const agent = `export default { id: 'mine', commands: {}, card: { capabilities: { extendedAgentCard: true } }, turn() {} }`
    const env = { MOORAGE_AGENT: 'agent.mjs', MOORAGE_API_KEYS: `ann:${hash(KEY)}` }
    await expect(start(env, { 'agent.mjs': agent })).rejects.toThrow(
      /extendedAgentCard, for which the agent has to make it: give defineAgent an extendCard/,
    )
  })
})
