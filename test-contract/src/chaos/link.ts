import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a server of this machine that can be cut: it breaks, or falls silent, and is whole again. */
export class Link {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #state: 'whole' | 'broken' | 'silent' = 'whole'

  private constructor(target: number) {
    this.#server = createServer((client) => {
      if (this.#state === 'broken') client.destroy()
      else this.#join(client, connect(target, '127.0.0.1'))
    })
  }

  static async open(target: number): Promise<Link> {
    const link = new Link(target)
    link.#server.listen(0, '127.0.0.1')
    await once(link.#server, 'listening')
    return link
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Ends every connection and makes none; in silence, keeps and takes them, and passes nothing on until it is healed. */
  cut(silent: boolean): void {
    this.#state = silent ? 'silent' : 'broken'
    for (const socket of this.#sockets) {
      if (silent) socket.pause()
      else socket.destroy()
    }
  }

  heal(): void {
    this.#state = 'whole'
    for (const socket of this.#sockets) socket.resume()
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #join(client: Socket, server: Socket): void {
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => undefined)
      from.on('data', (chunk) => void to.write(chunk))
      from.on('end', () => to.end())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      if (this.#state === 'silent') from.pause()
    }
  }
}
