import { describe, expect, test } from 'vitest'
import { testCard } from '../testing/test-agent.js'
import { startTestServer, type TestServer } from '../testing/test-server.js'

const VERSION = { 'A2A-Version': '1.0' }
const JSON_TYPE = { ...VERSION, 'Content-Type': 'application/json' }
const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] }
const send = JSON.stringify({ message, configuration: { returnImmediately: true } })

async function told(response: Response) {
  return { status: response.status, body: (await response.json()) as object }
}

async function newTask(server: TestServer): Promise<string> {
  const response = await server.fetch('/a2a/message:send', { method: 'POST', body: send, headers: JSON_TYPE })
  return ((await response.json()) as { task: { id: string } }).task.id
}

describe('the HTTP+JSON binding', () => {
  test('answers GetTask with the bare task, and SendMessage with a wrapped one', async () => {
    const server = await startTestServer()
    const id = await newTask(server)
    expect((await told(await server.fetch(`/a2a/tasks/${id}`, { headers: VERSION }))).body).toMatchObject({
      id,
      contextId: expect.any(String),
    })
  })

  test.each([undefined, '', '{}', '{"metadata":{"why":"enough"}}'])('cancels with the body %j', async (body) => {
    const server = await startTestServer()
    const response = await server.fetch(`/a2a/tasks/${await newTask(server)}:cancel`, {
      method: 'POST',
      headers: JSON_TYPE,
      ...(body !== undefined && { body }),
    })
    expect(await told(response)).toMatchObject({ status: 200, body: { status: { state: 'TASK_STATE_CANCELED' } } })
  })

  test.each(['GET', 'POST'])('subscribes by %s, without a body', async (method) => {
    const server = await startTestServer()
    const response = await server.fetch(`/a2a/tasks/${await newTask(server)}:subscribe`, { method, headers: JSON_TYPE })
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    await response.body?.cancel()
  })

  test.each(['%3Acancel', ':cancel'])('knows a verb that is written %s', async (verb) => {
    const server = await startTestServer()
    const response = await server.fetch(`/a2a/tasks/${await newTask(server)}${verb}`, { method: 'POST', headers: VERSION })
    expect(response.status).toBe(200)
  })

  test.each([
    '/a2a/message:nope',
    '/a2a/tasks/',
    '/a2a/tasks/x/y',
    '/a2a/tasks/x/pushNotificationConfigs/y/z',
    '/a2a/tasks/%',
    '/a2a/v1/tasks',
    '/a2a/a2a/tasks',
    '/a2a/acme/nope',
    '/a2a/push/x',
    '/nope',
    '/',
  ])('knows no route %s', async (path) => {
    const server = await startTestServer()
    const response = await server.fetch(path, { headers: VERSION })
    expect(response.headers.get('Content-Type')).toMatch(/json/)
    expect(await told(response)).toMatchObject({ status: 404, body: { error: { code: 404, status: 'NOT_FOUND', details: [] } } })
  })

  test.each([
    ['GET', '/a2a/message:send', 'POST'],
    ['PUT', '/a2a/tasks', 'GET, HEAD'],
    ['DELETE', '/a2a/tasks/x', 'GET, HEAD'],
    ['GET', '/a2a/tasks/x:cancel', 'POST'],
    ['HEAD', '/a2a/tasks/x:subscribe', 'GET, POST'],
    ['PUT', '/a2a/tasks/x/pushNotificationConfigs', 'POST, GET, HEAD'],
    ['POST', '/a2a/acme/tasks', 'GET, HEAD'],
  ])('refuses %s %s and says what it allows', async (method, path, allow) => {
    const server = await startTestServer()
    const response = await server.fetch(path, { method, headers: VERSION })
    expect([response.status, response.headers.get('Allow')]).toEqual([405, allow])
  })

  test('answers HEAD like GET, without a body', async () => {
    const server = await startTestServer()
    const response = await server.fetch(`/a2a/tasks/${await newTask(server)}`, { method: 'HEAD', headers: VERSION })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  test.each([
    ['{', 'Invalid JSON payload'],
    ['', 'Invalid JSON payload'],
    ['[]', 'send a JSON object'],
    ['null', 'send a JSON object'],
    ['"x"', 'send a JSON object'],
  ])('refuses the body %j', async (body, words) => {
    const server = await startTestServer()
    const response = await server.fetch('/a2a/message:send', { method: 'POST', body, headers: JSON_TYPE })
    expect(await told(response)).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(words) } } })
  })

  test('takes both JSON types, and refuses every other and none before it parses anything', async () => {
    const server = await startTestServer()
    const statusWith = async (type: string) =>
      (await server.fetch('/a2a/message:send', { method: 'POST', body: send, headers: { ...VERSION, 'Content-Type': type } })).status
    expect(await statusWith('application/json; charset=utf-8')).toBe(200)
    expect(await statusWith('application/a2a+json')).toBe(200)
    expect(await statusWith('text/plain')).toBe(400)
    const untyped = await server.fetch('/a2a/message:send', { method: 'POST', body: new Blob([send]), headers: VERSION })
    expect((await told(untyped)).body).toMatchObject({ error: { details: [{ reason: 'CONTENT_TYPE_NOT_SUPPORTED' }] } })
    const broken = await server.fetch('/a2a/message:send', { method: 'POST', body: '{', headers: { 'Content-Type': 'text/plain' } })
    expect((await told(broken)).body).toMatchObject({ error: { details: [{ reason: 'CONTENT_TYPE_NOT_SUPPORTED' }] } })
  })

  test('reads numbers, booleans and states from the query', async () => {
    const server = await startTestServer()
    await newTask(server)
    const query = 'pageSize=5&includeArtifacts=true&historyLength=0&status=TASK_STATE_SUBMITTED&contextId=&statusTimestampAfter='
    const { tasks, pageSize } = (await (await server.fetch(`/a2a/tasks?${query}`, { headers: VERSION })).json()) as {
      tasks: object[]
      pageSize: number
    }
    expect([pageSize, tasks]).toMatchObject([5, [{ artifacts: [] }]])
    expect(tasks[0]).not.toHaveProperty('history')
    for (const bad of ['pageSize=1&pageSize=2', 'includeArtifacts=yes', 'statusTimestampAfter=yesterday']) {
      expect((await server.fetch(`/a2a/tasks?${bad}`, { headers: VERSION })).status).toBe(400)
    }
  })

  test('takes the version as a query parameter', async () => {
    const server = await startTestServer()
    expect((await server.fetch('/a2a/tasks?A2A-Version=1.0')).status).toBe(200)
    expect((await server.fetch('/a2a/tasks?A2A-Version=1.0', { headers: { 'A2A-Version': '' } })).status).toBe(400)
  })

  test.each([
    ['/a2a/tasks/x:cancel', { id: 'y' }, 'id'],
    ['/a2a/tasks/x/pushNotificationConfigs', { task_id: 'y', url: 'https://example.com/' }, 'taskId'],
    ['/a2a/message:send?tenant=a', { message, tenant: 'b' }, 'tenant'],
  ])('refuses %s with a body that says otherwise', async (path, body, field) => {
    const server = await startTestServer()
    const response = await server.fetch(path, { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE })
    expect((await told(response)).body).toMatchObject({ error: { details: [{}, { fieldViolations: [{ field }] }] } })
  })

  test('keeps the tasks of a declared tenant apart, by path and by query, and refuses any other', async () => {
    const [first, ...interfaces] = testCard().supportedInterfaces
    const supportedInterfaces = [...interfaces, ...(first ? [first, { ...first, tenant: 'acme' }] : [])]
    const server = await startTestServer({ card: testCard({ supportedInterfaces }) })
    const sent = await server.fetch('/a2a/acme/message:send', { method: 'POST', body: send, headers: JSON_TYPE })
    const { task } = (await sent.json()) as { task: { id: string } }
    const statusOf = async (path: string) => (await server.fetch(path, { headers: VERSION })).status
    expect(await statusOf(`/a2a/acme/tasks/${task.id}`)).toBe(200)
    expect(await statusOf(`/a2a/tasks/${task.id}?tenant=acme`)).toBe(200)
    expect(await statusOf(`/a2a/tasks/${task.id}`)).toBe(404)
    expect(await statusOf(`/a2a/acme/tasks/${task.id}?tenant=other`)).toBe(400)
    expect((await told(await server.fetch('/a2a/other/tasks', { headers: VERSION }))).body).toMatchObject({
      error: { code: 400, details: [{ reason: 'INVALID_PARAMS' }, { fieldViolations: [{ field: 'tenant' }] }] },
    })
  })

  test('answers in the type that the request takes', async () => {
    const server = await startTestServer()
    const typeOf = async (headers: Readonly<Record<string, string>>) =>
      (await server.fetch('/a2a/tasks', { headers: { ...VERSION, ...headers } })).headers.get('Content-Type')
    expect(await typeOf({})).toBe('application/a2a+json')
    expect(await typeOf({ Accept: 'application/json' })).toBe('application/json')
    const plain = await startTestServer({ mediaType: 'application/json' })
    expect((await plain.fetch('/a2a/tasks', { headers: VERSION })).headers.get('Content-Type')).toBe('application/json')
  })
})
