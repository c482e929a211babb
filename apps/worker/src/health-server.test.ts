import { PortError } from '@moorage/bootstrap'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type HealthOptions, startHealthServer } from './health-server.js'

async function start(options: Partial<HealthOptions> = {}): Promise<string> {
  const server = await startHealthServer({
    ...{ host: '127.0.0.1', port: 0, isDraining: () => false },
    store: { check: async () => undefined },
    worker: { status: () => ({ connected: true, turns: 0, commands: 0 }) },
    ...options,
  })
  onTestFinished(() => server.close())
  return server.url
}

async function get(url: string): Promise<readonly unknown[]> {
  const response = await fetch(url)
  return [response.status, await response.json()]
}

const away: Partial<HealthOptions> = {
  store: { check: () => Promise.reject(new Error('away')) },
  worker: { status: () => ({ connected: false, turns: 0, commands: 0 }) },
}

describe('startHealthServer', () => {
  it.each<[string, Partial<HealthOptions>, number, object]>([
    ['everything answers', {}, 200, { status: 'ok' }],
    ['nothing answers', away, 503, { status: 'unavailable', unavailable: ['temporal', 'store'] }],
    ['the process ends', { isDraining: () => true }, 503, { status: 'unavailable', unavailable: ['draining'] }],
  ])('says at /readyz that %s', async (_what, options, status, body) => {
    expect(await get(`${await start(options)}/readyz`)).toEqual([status, body])
  })

  it('says at /healthz that the process lives, whatever does not answer', async () => {
    expect(await get(`${await start(away)}/healthz`)).toEqual([200, { status: 'ok' }])
  })

  it('has nothing else', async () => {
    expect((await get(`${await start()}/a2a`))[0]).toBe(404)
  })

  it('says which variable names a port that is taken', async () => {
    const { port } = new URL(await start())
    const refused = start({ port: Number(port) })
    await expect(refused).rejects.toBeInstanceOf(PortError)
    await expect(refused).rejects.toThrow('or set MOORAGE_HEALTH_PORT to another port')
  })
})
