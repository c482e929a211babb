import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { Harness } from '../harness.js'
import { AddressInUseError } from './address-in-use-error.js'

export interface ServeOptions {
  /** @default '127.0.0.1' */
  readonly host?: string
  /** 0: any free port. */
  readonly port: number
  /** After how many milliseconds `close` ends the connections that are still open. @default 10000 */
  readonly drainMs?: number
}

/** A harness that listens. */
export interface Serving {
  /** Where it listens, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** Drains and stops the harness, answers what is being answered, for `drainMs` at most, and takes no more connections. */
  close(): Promise<void>
}

/**
 * Listens for a harness; starting it is the caller's. Resolves once connections are taken.
 * @throws AddressInUseError where the port is taken
 */
export async function serve(harness: Harness, { host = '127.0.0.1', port, drainMs = 10_000 }: ServeOptions): Promise<Serving> {
  // Only HTTP/1 servers are created without `createServer`.
  const server = createAdaptorServer({ fetch: fetchOf(harness), hostname: host }) as Server
  const address = await listen(server, host, port)
  let closing: Promise<void> | undefined
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    close: () => (closing ??= close(server, harness, drainMs)),
  }
}

interface NodeEnv {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** An answer before the end of the request's body ends the connection, and says so: nobody reads the rest of that body. */
function fetchOf(harness: Harness) {
  return async function fetch(request: Request, env: object): Promise<Response> {
    const response = await harness.fetch(request, env)
    const { incoming, outgoing } = env as NodeEnv
    // What has come with the head of the request is still to be parsed.
    if (!incoming.complete) await setImmediate()
    if (!incoming.complete) outgoing.setHeader('Connection', 'close')
    return response
  }
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? new AddressInUseError(host, port, error) : error)
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve(server.address() as AddressInfo)
    })
  })
}

async function close(server: Server, harness: Harness, drainMs: number): Promise<void> {
  await harness.drain()
  const timer = setTimeout(() => server.closeAllConnections(), drainMs)
  await harness.stop()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(timer)
}
