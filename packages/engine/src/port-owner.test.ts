import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { findPortOwner } from './port-owner.js'

describe.runIf(process.platform === 'linux')('findPortOwner', () => {
  it.each(['127.0.0.1', '::1'])('names the process that listens on a port of %s, and nobody once it is closed', async (host) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    const { port } = server.address() as AddressInfo
    expect(await findPortOwner(port)).toEqual({ pid: process.pid, command: expect.stringContaining('node') })
    await new Promise((resolve) => server.close(resolve))
    expect(await findPortOwner(port)).toBeUndefined()
  })
})
