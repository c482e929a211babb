import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectTo } from './connect-to.js'
import { exchange } from './exchange.js'
import { type GatheredBody, gatherBody } from './gather-body.js'
import { refuse } from './refuse.js'
import { type Upstream, Upstreams, type UpstreamsOptions } from './upstreams.js'

export interface ProxyOptions extends UpstreamsOptions {
  /** On loopback; 0: any that is free. */
  readonly port: number
}

export interface ReverseProxy {
  readonly url: string
  /** Takes no more connections; what is being answered goes on. */
  drain(): void
  /** Ends what is still open, and resolves when nothing is. */
  close(): Promise<void>
}

/** Methods that RFC 9110 §9.2.1 calls safe: repeating them changes nothing. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Starts a reverse proxy on loopback that gives each request to the next server that is ready. Where that takes no connection, the one after it gets
 * the request. Where a connection is lost before there was an answer, only a safe request without a body goes to another one: it cannot be told
 * whether the first one has handled it. The client then knows (502), and can repeat a send unchanged, with the same `messageId`.
 * @throws where the port cannot be listened on
 */
export async function startProxy(options: ProxyOptions): Promise<ReverseProxy> {
  const upstreams = new Upstreams(options)
  const server = createServer((request, response) => void relay(request, response, upstreams))
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const closed = once(server, 'close')
  const watching = new AbortController()
  void upstreams.watch(watching.signal)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drain: () => void server.close(),
    close: async () => {
      watching.abort()
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Larger bodies are passed on piece by piece from here on. */
const GATHERED_BYTES = 16 * 1024 * 1024

async function relay(request: IncomingMessage, response: ServerResponse, upstreams: Upstreams): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  const body = await gatherBody(request, GATHERED_BYTES).catch(() => undefined)
  if (body === undefined) return
  const tried = new Set<Upstream>()
  for (;;) {
    const upstream = upstreams.next(tried)
    if (upstream === undefined) return refuse(response, 503, 'No agent takes connections at the moment. Try again.')
    tried.add(upstream)
    const socket = await connectTo(upstream.port, left.signal).catch(() => undefined)
    if (left.signal.aborted) return void socket?.destroy()
    if (socket !== undefined && (await exchange(request, body, response, socket)) === 'answered') return
    if (left.signal.aborted) return
    upstreams.markDown(upstream)
    if (socket !== undefined && !isRepeatable(request, body)) {
      return refuse(response, 502, 'The agent went away before it answered. A message can be sent again with the same messageId.')
    }
  }
}

function isRepeatable({ method = '' }: IncomingMessage, { bytes }: GatheredBody): boolean {
  return SAFE.has(method) && bytes.length === 0
}
