import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { probe } from './probe.js'

const never = new AbortController().signal

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each([
  [200, true],
  [503, false],
])('takes %i for %s', async (status, ready) => {
  expect(await probe(await serve((_, response) => response.writeHead(status).end()), 60_000, never)).toBe(ready)
})

it('gives up a server that does not answer, also when memory is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = setInterval(runInNewContext('gc') as () => void, 20)
  onTestFinished(() => clearInterval(collect))
  expect(await probe(await serve(() => undefined), 300, never)).toBe(false)
})

it('gives up at once when it is told to stop', async () => {
  const stop = new AbortController()
  const url = await serve(() => stop.abort())
  expect(await probe(url, 600_000, stop.signal)).toBe(false)
  expect(await probe(url, 600_000, stop.signal)).toBe(false)
})
