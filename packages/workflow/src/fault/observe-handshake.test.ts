import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { observeHandshake } from './observe-handshake.js'

test.each([
  ['the host', 'localhost', undefined, ['localhost']],
  ['nobody by an address', '127.0.0.1', undefined, []],
  ['whom the options name', '127.0.0.1', 'temporal.example', ['temporal.example']],
  ['nobody by an address that the options name', 'localhost', '127.0.0.1', []],
])('asks for %s', async (_, host, serverNameOverride, names) => {
  const asked: string[] = []
  const server = createServer({
    SNICallback: (name, refuse) => {
      asked.push(name)
      refuse(new Error('there is no certificate'))
    },
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => void server.close())
  const address = `${host}:${(server.address() as AddressInfo).port}`
  await observeHandshake({ address, tls: { ...(serverNameOverride !== undefined && { serverNameOverride }) } }, true)
  expect(asked).toEqual(names)
})
