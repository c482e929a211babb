import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A way to a server that can fall silent: connections stay, new ones are taken, and nothing is passed on. */
export interface SilentProxy {
  readonly url: string
  silent: boolean
  /** How many connections have been made. */
  readonly made: number
}

export async function openSilentProxy(target: string): Promise<SilentProxy> {
  const url = new URL(target)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  let made = 0
  const server = createServer((client) => {
    made++
    const upstream = connect(Number(port || 5432), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => void (proxy.silent || to.write(chunk)))
      from.on('error', () => {})
      from.on('close', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxy: SilentProxy = {
    url: url.href,
    silent: false,
    get made() {
      return made
    },
  }
  return proxy
}
