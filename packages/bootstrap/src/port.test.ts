import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkPort, describePortError, localUrl, PortError } from './port.js'

describe('checkPort', () => {
  it('gives a free port for 0, and the same port for one that is free', async () => {
    const port = await checkPort('127.0.0.1', 0)
    expect(port).toBeGreaterThan(0)
    expect(await checkPort('127.0.0.1', port)).toBe(port)
  })

  it('says which port is taken, by which process, and what to do', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const error = await checkPort('127.0.0.1', port).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PortError)
    expect(String(error)).toMatch(
      new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use by process ${process.pid} \\(.+\\)\\. Stop it, or set PORT`),
    )
  })

  it('says that the address is not one of this machine', async () => {
    await expect(checkPort('192.0.2.1', 0)).rejects.toThrow('HOST is 192.0.2.1, which is no address of this machine.')
  })
})

describe('describePortError', () => {
  it('says that a port needs rights', async () => {
    const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' })
    expect(String(await describePortError(denied, '127.0.0.1', 80))).toContain('Port 80 needs rights that this process lacks.')
  })

  it('leaves every other error as it is', async () => {
    const error = new Error('something else')
    expect(await describePortError(error, '127.0.0.1', 80)).toBe(error)
  })
})

describe('localUrl', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://[::1]:8080'],
    ['::1', 'http://[::1]:8080'],
    ['agent.internal', 'http://agent.internal:8080'],
  ])('of a server on %s is %s', (host, url) => {
    expect(localUrl(host, 8080)).toBe(url)
  })
})
