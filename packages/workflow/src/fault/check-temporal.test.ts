import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkTemporal } from './check-temporal.js'
import { startFrontendStub } from './frontend-stub.js'

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each(['1.29.0', '1.30.0-148.1', '2.0.0', 'from-source'])('takes version %s', async (version) => {
  expect(await checkTemporal({ address: await startFrontendStub({ version }) })).toBeUndefined()
})

test.each(['1.28.2', '0.9.0'])('refuses version %s', async (version) => {
  expect(await checkTemporal({ address: await startFrontendStub({ version }) })).toMatchObject({ kind: 'version' })
})

test.each([16, 7])('tells credentials that are not taken (%d)', async (status) => {
  const fault = await checkTemporal({ address: await startFrontendStub({ status }), apiKey: 'key', tls: false })
  expect(fault).toMatchObject({ kind: 'credentials', message: expect.stringContaining('temporal.apiKey') })
})

test('takes a server that has too much to do as one that is there', async () => {
  expect(await checkTemporal({ address: await startFrontendStub({ status: 8 }) })).toBeUndefined()
})

test('tells that nothing listens', async () => {
  const server = createServer()
  const address = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  expect(await checkTemporal({ address })).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('nothing listens'),
  })
})

test('tells a name that does not resolve', async () => {
  const fault = await checkTemporal({ address: 'temporal.invalid:7233' })
  expect(fault).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('does not resolve') })
})

test.each(['127.0.0.1:99999', 'temporal example:7233', '::1'])('refuses %s, which is no address', async (address) => {
  const refusal = new TypeError(`temporal.address must be host:port, like 127.0.0.1:7233; it is ${JSON.stringify(address)}`)
  await expect(checkTemporal({ address })).rejects.toThrow(refusal)
})

test('tells a server that speaks no TLS', async () => {
  const fault = await checkTemporal({ address: await startFrontendStub({}), tls: true })
  expect(fault).toMatchObject({ kind: 'tls', message: expect.stringContaining('speaks no TLS') })
})

test('does not take a server that drops every connection for one that wants TLS', async () => {
  const address = await listen(createServer((socket) => void socket.destroy()))
  expect(await checkTemporal({ address })).toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(/closes every connection: see whether it is Temporal, its own log, and temporal\.address/),
  })
})

test.each<[string, () => Server]>([
  ['a web server', () => createHttpServer((_, response) => void response.end('hello'))],
  ['what speaks first', () => createServer((socket) => void socket.on('error', () => {}).write('SSH-2.0-OpenSSH\r\n'))],
  [
    'what answers in words of its own',
    () => createServer((socket) => void socket.once('data', () => socket.end('-ERR unknown command\r\n'))),
  ],
])('does not take %s for Temporal', async (_, create) => {
  expect(await checkTemporal({ address: await listen(create()) })).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('is something else than Temporal: correct temporal.address'),
  })
})

test.each([
  [{ address: 'http://temporal.example' }, /^temporal\.address must be host:port/],
  [{ address: 'temporal.example:7233', apiKey: 'with a\nbreak' }, /^temporal\.apiKey must be visible ASCII/],
  [
    { address: 'temporal.example:7233', tls: { clientCertPair: { crt: Buffer.from('no'), key: Buffer.from('no') } } },
    /^temporal\.tls: its certificates/,
  ],
])('names the option that no connection takes (%#)', async (options, message) => {
  await expect(checkTemporal(options)).rejects.toThrow(message)
})
