import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPort, createLogger, PortError } from '@moorage/bootstrap'
import { claimDataFolder, DataFolderTakenError } from '@moorage/engine'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Config, readConfig } from './config.js'
import { type RunningAgent, type StartPorts, startAgent } from './start.js'
import { temporaryFolder } from './temporary-folder.js'

const ports: StartPorts = {
  env: {},
  logger: createLogger('silent'),
  progress: () => undefined,
  signal: new AbortController().signal,
}

/** With a Temporal server that is not there, on a port where nobody listens. */
async function configWithoutTemporal(env: Record<string, string> = {}): Promise<Config> {
  const folder = await temporaryFolder()
  const TEMPORAL_ADDRESS = `127.0.0.1:${await checkPort('127.0.0.1', 0)}`
  return readConfig({ PORT: '0', MOORAGE_DATA_DIR: folder, TEMPORAL_ADDRESS, ...env }, folder)
}

async function started(config: Config): Promise<RunningAgent> {
  const running = await startAgent(config, ports)
  onTestFinished(() => running.stop())
  return running
}

async function send(url: string): Promise<unknown> {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'hello' }] }
  const response = await fetch(`${url}/a2a/message:send`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({ message, configuration: { returnImmediately: true } }),
  })
  return response.json()
}

describe('startAgent', () => {
  it('serves and accepts messages although Temporal is away, and says so at /readyz', async () => {
    const { url } = await started(await configWithoutTemporal())
    expect(await send(url)).toMatchObject({ task: { status: { state: 'TASK_STATE_SUBMITTED' } } })
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'degraded', degraded: ['temporal'] }])
  })

  it('says so too where the worker is another process', async () => {
    const { url, temporalFault } = await started(await configWithoutTemporal({ MOORAGE_WORKER: 'off' }))
    expect(temporalFault).toMatch(/^Temporal at 127\.0\.0\.1:\d+ .*cannot be reached/)
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'degraded', degraded: ['temporal'] })
  })

  it('warns of the open tasks of another agent in its data folder', async () => {
    const config = await configWithoutTemporal()
    const first = await startAgent(config, ports)
    await send(first.url)
    await first.stop()
    const warnings: unknown[] = []
    const logger = Object.assign(createLogger('silent'), { warn: (...words: unknown[]) => warnings.push(words.at(-1)) })
    const agentPath = fileURLToPath(new URL('../../../examples/hello/agent.ts', import.meta.url))
    const second = await startAgent({ ...config, agentPath }, { ...ports, logger })
    onTestFinished(() => second.stop())
    expect(warnings).toContainEqual(expect.stringMatching(/^The agent "[\w-]+" has unfinished tasks in this data folder \(1\)/))
  })

  it('warns of keys for push notifications that the card does not declare', async () => {
    const warnings: unknown[] = []
    const logger = Object.assign(createLogger('silent'), { warn: (...words: unknown[]) => warnings.push(words.at(-1)) })
    for (const env of [{}, { MOORAGE_PUSH_KEYS: `2026-01:${Buffer.alloc(32, 1).toString('base64')}` }]) {
      const running = await startAgent(await configWithoutTemporal(env), { ...ports, logger })
      await running.stop()
    }
    expect(warnings.filter((words) => String(words).startsWith('MOORAGE_'))).toEqual([
      'MOORAGE_PUSH_KEYS: without effect, since the agent card declares no push notifications',
    ])
  })

  it('still takes requests for the time that a load balancer needs, once /readyz says 503', async () => {
    const running = await startAgent(await configWithoutTemporal({ MOORAGE_DRAIN_DELAY_MS: '2000' }), ports)
    const stopped = running.stop()
    expect((await fetch(`${running.url}/readyz`)).status).toBe(503)
    expect(await send(running.url)).toMatchObject({ task: { status: { state: 'TASK_STATE_SUBMITTED' } } })
    expect(running.waitsFor()).toBe('requests are taken for 2 s (MOORAGE_DRAIN_DELAY_MS), then the server is being ended')
    await stopped
    await expect(fetch(`${running.url}/readyz`)).rejects.toThrow()
  })

  it('serves the card under the URL where it is reached, or the configured one', async () => {
    const own = await started(await configWithoutTemporal())
    expect(own.card.supportedInterfaces[0]?.url).toBe(`${own.url}/a2a`)
    const behindProxy = await started(await configWithoutTemporal({ MOORAGE_BASE_URL: 'https://agent.example' }))
    const card = await (await fetch(`${behindProxy.url}/.well-known/agent-card.json`)).json()
    expect(card).toMatchObject({ supportedInterfaces: [{ url: 'https://agent.example/a2a' }, { url: 'https://agent.example/a2a' }] })
  })

  it('signs its card with the configured keys, and says where they are', async () => {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
    const MOORAGE_CARD_KEYS = JSON.stringify({ keys: [{ ...jwk, kid: '2026-01' }] })
    const { url } = await started(await configWithoutTemporal({ MOORAGE_CARD_KEYS, MOORAGE_BASE_URL: 'https://agent.example/bots' }))
    const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as { signatures: { protected: string }[] }
    const header = { alg: 'EdDSA', kid: '2026-01', typ: 'JOSE', jku: 'https://agent.example/.well-known/jwks.json' }
    expect(card.signatures.map(({ protected: text }) => JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown)).toEqual([header])
    const { kty, crv, x } = jwk
    const jwks = { keys: [{ kty, crv, x, kid: '2026-01', alg: 'EdDSA', use: 'sig' }] }
    expect(await (await fetch(`${url}/.well-known/jwks.json`)).json()).toEqual(jwks)
  })

  it('holds the data folder while it runs, and tells its URL to those who come later', async () => {
    const config = await configWithoutTemporal()
    const running = await startAgent(config, ports)
    const refused = await startAgent(config, ports).catch((thrown: unknown) => thrown)
    expect(refused).toBeInstanceOf(DataFolderTakenError)
    expect(refused).toMatchObject({ dir: config.dataDir, pid: process.pid, url: running.url })
    await running.stop()
    await (await claimDataFolder(config.dataDir ?? '')).release()
  })

  it('leaves nothing behind where a step fails', async () => {
    const { url } = await started(await configWithoutTemporal())
    const config = await configWithoutTemporal({ PORT: new URL(url).port })
    await expect(startAgent(config, ports)).rejects.toBeInstanceOf(PortError)
    await (await claimDataFolder(config.dataDir ?? '')).release()
  })

  it('makes no data folder where the port is in use', async () => {
    const { url } = await started(await configWithoutTemporal())
    const MOORAGE_DATA_DIR = join(await temporaryFolder(), 'data')
    const config = await configWithoutTemporal({ PORT: new URL(url).port, MOORAGE_DATA_DIR })
    await expect(startAgent(config, ports)).rejects.toBeInstanceOf(PortError)
    expect(existsSync(MOORAGE_DATA_DIR)).toBe(false)
  })

  it('ends what has begun where it is told to stop meanwhile', async () => {
    const config = await configWithoutTemporal()
    const signal = AbortSignal.abort(new Error('told to stop'))
    await expect(startAgent(config, { ...ports, signal })).rejects.toThrow('told to stop')
    await (await claimDataFolder(config.dataDir ?? '')).release()
  })

  it('obeys the limits of the configuration', async () => {
    const { url } = await started(await configWithoutTemporal({ MOORAGE_RATE_PER_MINUTE: '1', MOORAGE_MAX_REQUEST_BYTES: '1024' }))
    const body = JSON.stringify({ text: 'x'.repeat(2000) })
    const large = await fetch(`${url}/a2a`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    expect(large.status).toBe(413)
    expect((await fetch(`${url}/a2a/tasks`)).status).toBe(429)
  })
})
