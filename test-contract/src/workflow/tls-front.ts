import { type AddressInfo, connect } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import { SERVER } from './certificates.js'

/** TLS in front of a server that has none; stops after the test. Returns its address. */
export async function startTlsFront(target: string, options: TlsOptions = {}): Promise<string> {
  const [host, port] = target.split(':')
  const server = createServer({ cert: SERVER.crt, key: SERVER.key, ALPNProtocols: ['h2'], ...options }, (client) => {
    const behind = connect(Number(port), host)
    for (const socket of [client, behind]) socket.on('error', () => {})
    client.pipe(behind).pipe(client)
    client.once('close', () => behind.destroy())
    behind.once('close', () => client.destroy())
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
