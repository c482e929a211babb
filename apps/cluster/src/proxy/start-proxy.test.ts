import { once } from 'node:events'
import { createServer, type IncomingMessage, request as openRequest, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ReverseProxy, startProxy } from './start-proxy.js'

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Starts an upstream that is ready, and answers other requests than probes with the listener. */
async function upstream(listener: Listener, ready: () => boolean = () => true): Promise<{ port: number; server: Server }> {
  const server = createServer((request, response) => {
    if (request.url === '/readyz') response.writeHead(ready() ? 200 : 503).end()
    else void listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, server }
}

/** A port that nobody listens on. */
async function deadPort(): Promise<number> {
  const { port, server } = await upstream(() => undefined)
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  return port
}

async function proxyTo(...ports: number[]): Promise<ReverseProxy> {
  const proxy = await startProxy({ port: 0, ports, probeEveryMs: 10 })
  onTestFinished(() => proxy.close())
  return proxy
}

function saying(name: string): Listener {
  return (_request, response) => void response.end(name)
}

const get = async (url: string) => (await fetch(url)).text()

/** Asks until the proxy has found out what the test waits for. */
async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await pause(10)
}

describe('the proxy', () => {
  it('takes the servers that are ready in turn', async () => {
    const probes = { a: 0, b: 0 }
    const [a, b] = (['a', 'b'] as const).map((name) => upstream(saying(name), () => ++probes[name] > 0))
    const proxy = await proxyTo((await a)?.port ?? 0, (await b)?.port ?? 0)
    // A second probe comes when the first one has told.
    await until(async () => probes.a > 1 && probes.b > 1)
    const answers = [await get(proxy.url), await get(proxy.url), await get(proxy.url), await get(proxy.url)]
    expect(answers.slice(0, 2).sort()).toEqual(['a', 'b'])
    expect(answers.slice(2)).toEqual(answers.slice(0, 2))
  })

  it('passes over a server that is not ready, and comes back to it', async () => {
    let isReady = false
    const slow = await upstream(saying('slow'), () => isReady)
    const proxy = await proxyTo(slow.port, (await upstream(saying('other'))).port)
    await until(async () => (await get(proxy.url)) === 'other')
    expect(new Set([await get(proxy.url), await get(proxy.url), await get(proxy.url)])).toEqual(new Set(['other']))
    isReady = true
    await until(async () => (await get(proxy.url)) === 'slow')
  })

  it('asks a server that is not ready where none is: it refuses in the form of the protocol', async () => {
    const { port } = await upstream(
      (_request, response) => void response.writeHead(503).end('of the protocol'),
      () => false,
    )
    const response = await fetch((await proxyTo(port)).url)
    expect([response.status, await response.text()]).toEqual([503, 'of the protocol'])
  })

  it('gives a request with its body to the next server where one takes no connection, whatever the method', async () => {
    const { port } = await upstream(async (request, response) => void response.end(`${request.method} ${await text(request)}`))
    const proxy = await proxyTo(await deadPort(), port)
    for (const body of ['one', 'two']) expect(await (await fetch(proxy.url, { method: 'POST', body })).text()).toBe(`POST ${body}`)
  })

  it('says that it may be tried again where no server takes a connection', async () => {
    const response = await fetch((await proxyTo(await deadPort(), await deadPort())).url, { method: 'POST', body: '{}' })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } })
  })

  it('repeats a safe request whose connection was lost before there was an answer', async () => {
    const dying = await upstream((request) => void request.socket.destroy())
    const proxy = await proxyTo(dying.port, (await upstream(saying('other'))).port)
    for (let times = 0; times < 4; times++) expect(await get(proxy.url)).toBe('other')
  })

  it('does not repeat another one, and says so', async () => {
    const seen: string[] = []
    const dying: Listener = async (request) => {
      seen.push(await text(request))
      request.socket.destroy()
    }
    const proxy = await proxyTo((await upstream(dying)).port, (await upstream(dying)).port)
    const response = await fetch(proxy.url, { method: 'POST', body: 'once' })
    expect([response.status, seen]).toEqual([502, ['once']])
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(/sent again with the same messageId/) as string },
    })
  })

  it('passes the answer of a server that does not read the body', async () => {
    const { port } = await upstream((request, response) => {
      response.writeHead(413, { Connection: 'close' }).end('too large', () => request.socket.destroySoon())
    })
    const { url } = await proxyTo(port)
    for (let times = 0; times < 20; times++) {
      const response = await fetch(url, { method: 'POST', body: 'a'.repeat(3_000_000) })
      expect([response.status, await response.text()]).toEqual([413, 'too large'])
    }
  })

  it('passes an answer that comes before the end of a body that is too large to be gathered', async () => {
    const { port } = await upstream((_request, response) => {
      response.writeHead(413, { Connection: 'close' }).end('too large')
    })
    const { url } = await proxyTo(port)
    const client = openRequest(url, { method: 'POST' })
    client.on('error', () => undefined)
    client.write(Buffer.alloc(17 * 1024 * 1024))
    const [response] = (await once(client, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(413)
    client.destroy()
  })

  it('keeps the headers of a message, but those of one connection', async () => {
    let seen: IncomingMessage | undefined
    const { port } = await upstream((request, response) => {
      seen = request
      response.writeHead(207, 'Of a kind', [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['Keep-Alive', 'timeout=77'],
      ])
      response.end()
    })
    const { url } = await proxyTo(port)
    const headers = { 'A2A-Version': '1.0', Connection: 'close, X-Hop', 'X-Hop': '1', 'X-Twice': ['1', '2'], Host: 'agent.example' }
    const client = openRequest(`${url}/a2a/tasks?pageSize=1`, { headers }).end()
    const [response] = (await once(client, 'response')) as [IncomingMessage]
    expect(seen?.url).toBe('/a2a/tasks?pageSize=1')
    expect(seen?.headers).toMatchObject({ host: 'agent.example', 'a2a-version': '1.0', 'x-twice': '1, 2' })
    expect(seen?.headers).not.toHaveProperty('x-hop')
    expect([response.statusCode, response.statusMessage]).toEqual([207, 'Of a kind'])
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(response.headers['keep-alive']).not.toBe('timeout=77')
    response.resume()
  })

  it('keeps the framing of a body of unknown length, with a method that has none as a rule', async () => {
    const { port } = await upstream(async (request, response) => void response.end(await text(request)))
    const { url } = await proxyTo(port)
    const client = openRequest(url, { method: 'DELETE', headers: { 'Transfer-Encoding': 'chunked' } })
    client.end('GET /another HTTP/1.1\r\n\r\n')
    const [response] = (await once(client, 'response')) as [IncomingMessage]
    expect(await text(response)).toBe('GET /another HTTP/1.1\r\n\r\n')
  })
})

describe('a stream through the proxy', () => {
  /** Begins a stream, and tells of it. */
  async function streaming() {
    let begun: (stream: { request: IncomingMessage; response: ServerResponse }) => void
    const stream = new Promise<{ request: IncomingMessage; response: ServerResponse }>((resolve) => {
      begun = resolve
    })
    const { port } = await upstream((request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
      begun({ request, response })
    })
    return { proxy: await proxyTo(port), stream }
  }

  const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

  it('has its head before the first event, and each event as it comes', async () => {
    const { proxy, stream } = await streaming()
    const client = await fetch(proxy.url, { method: 'POST', body: '{}' })
    const { response } = await stream
    const reader = client.body?.getReader()
    response.write('id: 1\n\n')
    expect(decode((await reader?.read())?.value)).toBe('id: 1\n\n')
    response.end('id: 2\n\n')
    expect(decode((await reader?.read())?.value)).toBe('id: 2\n\n')
    expect((await reader?.read())?.done).toBe(true)
  })

  it('ends for the server when the client goes away', async () => {
    const { proxy, stream } = await streaming()
    const abort = new AbortController()
    await fetch(proxy.url, { signal: abort.signal })
    const { response } = await stream
    const closed = once(response, 'close')
    abort.abort()
    await closed
  })

  it('ends for the server when the client goes away before there is an answer', async () => {
    let arrived: (response: ServerResponse) => void
    const arrival = new Promise<ServerResponse>((resolve) => {
      arrived = resolve
    })
    const { port } = await upstream((_request, response) => arrived(response))
    const { url } = await proxyTo(port)
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: agent.example\r\n\r\n')
    const closed = once(await arrival, 'close')
    client.destroy()
    await closed
  })

  it('breaks for the client when the server dies', async () => {
    const { proxy, stream } = await streaming()
    const client = await fetch(proxy.url)
    const { request, response } = await stream
    response.write('id: 1\n\n')
    const reader = client.body?.getReader()
    await reader?.read()
    request.socket.destroy()
    await expect(reader?.read()).rejects.toThrow('terminated')
  })

  it('goes on while the proxy takes no more connections, until it closes', async () => {
    const { proxy, stream } = await streaming()
    const client = await fetch(proxy.url)
    const { response } = await stream
    proxy.drain()
    await expect(fetch(proxy.url)).rejects.toThrow('fetch failed')
    response.write('id: 1\n\n')
    const reader = client.body?.getReader()
    expect(decode((await reader?.read())?.value)).toBe('id: 1\n\n')
    await proxy.close()
    await expect(reader?.read()).rejects.toThrow('terminated')
  })
})
