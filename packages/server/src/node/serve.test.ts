import { connect } from 'node:net'
import { AgentCard, Role, type StreamResponse, TaskState } from '@a2a-js/sdk'
import { type Client, ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client'
import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import { describe, expect, onTestFinished, test } from 'vitest'
import { countFollowers } from '../testing/count-followers.js'
import { chunk, playTurn, says } from '../testing/play.js'
import { readSse } from '../testing/read-sse.js'
import type { testCard } from '../testing/test-agent.js'
import { startTestServer, type TestServer } from '../testing/test-server.js'
import { AddressInUseError } from './address-in-use-error.js'
import { type ServeOptions, type Serving, serve } from './serve.js'

const HEADERS = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
const body = JSON.stringify({ message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] } })

/** Sends a request over a socket of its own and reads the answer up to its length, however the connection goes on. */
async function exchange(port: number, line: string, headers: readonly string[], content: string) {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${[`${line} HTTP/1.1`, 'Host: agent.test', ...headers].join('\r\n')}\r\n\r\n${content}`)
  let answer = ''
  for await (const data of socket) {
    answer += String(data)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1])
    if (body.length === length) return { head, body }
  }
  throw new Error(`the connection ended after: ${answer}`)
}

async function serveTest(server: TestServer, options: Partial<ServeOptions> = {}): Promise<Serving> {
  const serving = await serve(server.harness, { port: 0, ...options })
  onTestFinished(() => serving.close())
  return serving
}

describe.each(['JSONRPC', 'HTTP+JSON'] as const)("the SDK's client over %s and a socket", (binding) => {
  async function connectClient(serving: Serving): Promise<Client> {
    const card = (await (await fetch(`${serving.url}/.well-known/agent-card.json`)).json()) as ReturnType<typeof testCard>
    const supportedInterfaces = card.supportedInterfaces.map((entry) => ({ ...entry, url: `${serving.url}/a2a` }))
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] })
    return new ClientFactory(options).createFromAgentCard(AgentCard.fromJSON({ ...card, supportedInterfaces }))
  }

  const request = (messageId: string, taskId = '') => ({
    tenant: '',
    message: {
      messageId,
      taskId,
      contextId: '',
      role: Role.ROLE_USER,
      parts: [{ content: { $case: 'text' as const, value: 'hello' }, metadata: undefined, filename: '', mediaType: '' }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  })

  test('sends, streams, asks, lists, cancels, subscribes and is refused', async () => {
    const server = await startTestServer()
    const client = await connectClient(await serveTest(server))

    const sending = client.sendMessage(request('m-1'))
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'ask', message: says('which?') }, chunk('a', 'one'))
    expect(await sending).toMatchObject({ id: taskId, status: { state: TaskState.TASK_STATE_INPUT_REQUIRED } })

    const subscription = client.resubscribeTask({ tenant: '', id: taskId })
    expect((await subscription.next()).value).toMatchObject({ payload: { $case: 'task', value: { id: taskId } } })

    const events: StreamResponse[] = []
    for await (const event of client.sendMessageStream(request('m-2', taskId))) {
      events.push(event)
      if (events.length === 1) void playTurn(server.store, taskId, { kind: 'ask' }, chunk('a', 'two'))
    }
    expect(events.map(({ payload }) => payload?.$case)).toEqual(['task', 'artifactUpdate', 'statusUpdate'])

    expect(await client.getTask({ tenant: '', id: taskId, historyLength: 1 })).toMatchObject({ id: taskId, history: [{}] })
    const list = { tenant: '', contextId: '', status: 0, pageSize: undefined, pageToken: '', historyLength: undefined }
    const page = await client.listTasks({ ...list, statusTimestampAfter: undefined, includeArtifacts: true })
    expect(page).toMatchObject({ totalSize: 1, tasks: [{ artifacts: [{ parts: [{}, {}] }] }] })

    expect(await client.cancelTask({ tenant: '', id: taskId, metadata: undefined })).toMatchObject({
      status: { state: TaskState.TASK_STATE_CANCELED },
    })
    const followed: unknown[] = []
    for await (const event of subscription) followed.push(event)
    expect(followed.at(-1)).toMatchObject({
      payload: { $case: 'statusUpdate', value: { status: { state: TaskState.TASK_STATE_CANCELED } } },
    })
    await expect(client.getTask({ tenant: '', id: 'nope', historyLength: undefined })).rejects.toBeInstanceOf(TaskNotFoundError)
  })
})

describe('serve', () => {
  test('says that the port is taken, and where', async () => {
    const server = await startTestServer()
    const { port } = await serveTest(server)
    const second = serve(server.harness, { port })
    await expect(second).rejects.toBeInstanceOf(AddressInUseError)
    await expect(second).rejects.toMatchObject({ port, message: expect.stringContaining(`Port ${port} of 127.0.0.1`) })
  })

  test.each([
    ['a length', () => ({ body })],
    ['chunks', () => ({ body: new Blob([body]).stream(), duplex: 'half' })],
  ])('a client that sent %s and hangs up ends its own stream, and the task goes on', async (_what, content) => {
    const followers = countFollowers()
    const server = await startTestServer({ wrapStore: followers.wrapStore })
    const { url } = await serveTest(server)
    const leaving = new AbortController()
    const init = { method: 'POST', headers: HEADERS, signal: leaving.signal, ...content() } as RequestInit
    const reader = readSse(await fetch(`${url}/a2a/message:stream`, init))
    await reader.next()
    leaving.abort()
    await expect(reader.next()).rejects.toThrow()
    await expect.poll(followers.open).toBe(0)
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'complete' })
    expect((await server.store.record(taskId))?.state).toBe('TASK_STATE_COMPLETED')
  })

  test('a client that hangs up ends its blocking send', async () => {
    const followers = countFollowers()
    const server = await startTestServer({ wrapStore: followers.wrapStore })
    const { url } = await serveTest(server)
    const leaving = new AbortController()
    const waiting = fetch(`${url}/a2a/message:send`, { method: 'POST', headers: HEADERS, body, signal: leaving.signal })
    await server.woken(1)
    await expect.poll(followers.open).toBe(1)
    leaving.abort()
    await expect(waiting).rejects.toThrow()
    await expect.poll(followers.open).toBe(0)
  })

  test('closing ends the streams, answers what waits, and takes no more connections', async () => {
    const server = await startTestServer()
    const serving = await serveTest(server)
    const stream = readSse(await fetch(`${serving.url}/a2a/message:stream`, { method: 'POST', headers: HEADERS, body }))
    await stream.next()
    const waiting = fetch(`${serving.url}/a2a/message:send`, { method: 'POST', headers: HEADERS, body })
    await server.woken(2)
    await serving.close()
    expect(await stream.next()).toBeUndefined()
    expect((await waiting).status).toBe(200)
    await expect(fetch(`${serving.url}/healthz`)).rejects.toThrow()
  })

  test('closing does not wait for ever for a connection that stays', async () => {
    const server = await startTestServer()
    const serving = await serveTest(server, { drainMs: 10 })
    // A request whose body never ends: nothing answers it, and nothing but the limit ends it.
    const upload = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) })
    const init = { method: 'POST', headers: HEADERS, body: upload, duplex: 'half' } as RequestInit
    const stuck = fetch(`${serving.url}/a2a/message:send`, init)
    stuck.catch(() => {})
    await expect.poll(async () => (await fetch(`${serving.url}/healthz`)).status).toBe(200)
    await serving.close()
    await expect(stuck).rejects.toThrow()
  })

  describe('an answer that is sent before the body was read', () => {
    const json = ['Content-Type: application/json', 'A2A-Version: 1.0']
    const chunked = [...json, 'Transfer-Encoding: chunked']
    const long = (length: number) => [...json, `Content-Length: ${length}`]

    test.each<[string, string, readonly string[], string, number]>([
      ['too large, by its length', 'POST /a2a', long(2_000_000), '{', 413],
      ['too large, by its length, over HTTP+JSON', 'POST /a2a/message:send', long(2_000_000), '{', 413],
      ['too large, in chunks', 'POST /a2a', chunked, `200000\r\n${'x'.repeat(0x20_00_00)}\r\n`, 413],
      ['sent to no route', 'POST /nope', long(100), '{', 404],
      ['sent with the wrong verb', 'PUT /a2a/tasks', long(100), '{', 405],
      ['of another type', 'POST /a2a', ['Content-Type: text/plain', 'Content-Length: 100'], '{', 200],
      ['of a GET', 'GET /healthz', ['Content-Length: 100'], '{', 200],
    ])('says that the connection ends: one %s', async (_what, line, headers, content, status) => {
      const { port } = await serveTest(await startTestServer())
      const answer = await exchange(port, line, headers, content)
      expect(answer.head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(answer.head).toMatch(/^connection: close$/im)
      expect(JSON.parse(answer.body)).toBeTypeOf('object')
    })

    test.each<[string, string, readonly string[], string]>([
      ['a body that came whole', 'POST /nope', long(2), '{}'],
      ['a body that is read', 'POST /a2a', long(2), '{}'],
      ['no body', 'GET /healthz', [], ''],
      ['an empty body', 'POST /nope', long(0), ''],
    ])('keeps the connection where it had %s', async (_what, line, headers, content) => {
      const { port } = await serveTest(await startTestServer())
      expect((await exchange(port, line, headers, content)).head).toMatch(/^connection: keep-alive$/im)
    })

    test('reaches a client that is still sending', async () => {
      const { url } = await serveTest(await startTestServer())
      const send = () => fetch(`${url}/a2a`, { method: 'POST', headers: HEADERS, body: new Uint8Array(8_000_000) })
      for (let i = 0; i < 20; i += 1) expect((await send()).status).toBe(413)
    })
  })

  test.each<[string, readonly string[], string]>([
    ['a length', ['Content-Length: 100'], '{'],
    ['chunks', ['Transfer-Encoding: chunked'], '1\r\n{\r\n'],
  ])('a client that hangs up in the middle of a body with %s is no error of the server', async (_what, headers, content) => {
    const server = await startTestServer()
    const answered: Response[] = []
    const fetch: TestServer['harness']['fetch'] = async (request, env) => {
      const response = await server.harness.fetch(request, env)
      answered.push(response)
      return response
    }
    const serving = await serve({ ...server.harness, fetch }, { port: 0 })
    onTestFinished(() => serving.close())
    for (const path of ['/a2a', '/a2a/message:send']) {
      const socket = connect(serving.port, '127.0.0.1')
      const lines = [`POST ${path} HTTP/1.1`, 'Host: agent.test', 'Content-Type: application/json', 'A2A-Version: 1.0', ...headers]
      const before = answered.length
      socket.write(`${lines.join('\r\n')}\r\n\r\n${content}`, () => setImmediate(() => socket.resetAndDestroy()))
      await expect.poll(() => answered.length).toBe(before + 1)
    }
    expect(server.logged).toEqual([])
  })

  test('counts requests by the address of the socket', async () => {
    const server = await startTestServer({ limits: { ratePerMinute: 1 } })
    const { url } = await serveTest(server)
    expect((await fetch(`${url}/.well-known/agent-card.json`)).status).toBe(200)
    expect((await fetch(`${url}/.well-known/agent-card.json`)).status).toBe(429)
  })
})
