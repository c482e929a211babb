import { describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.js'
import { bothVersions } from '../v0-3/testing/v0-3-server.js'

const HEADERS = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' }
const V1 = { 'A2A-Version': '1.0' }
const envelope = (fields: object = {}) => ({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'nope' }, ...fields })
const send = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] }, configuration: { returnImmediately: true } }

function post(server: TestServer, body: unknown, headers: Readonly<Record<string, string>> = HEADERS, path = '/a2a') {
  return server.fetch(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })
}

async function told(response: Response) {
  return { status: response.status, body: (await response.json()) as { id: unknown; error?: { code: number } } }
}

describe('the JSON-RPC binding', () => {
  test.each<[string, unknown, number]>([
    ['nothing', '', -32700],
    ['half an object', '{"jsonrpc":', -32700],
    ['a batch', [envelope()], -32600],
    ['an empty batch', [], -32600],
    ['null', 'null', -32600],
    ['a string', '"hello"', -32600],
    ['a notification', envelope({ id: undefined }), -32600],
    ['the id null', envelope({ id: null }), -32600],
    ['the id true', envelope({ id: true }), -32600],
    ['the id 1.5', envelope({ id: 1.5 }), -32600],
    ['an id that no number holds', '{"jsonrpc":"2.0","id":12345678901234567890,"method":"GetTask"}', -32600],
    ['an id that is an object', envelope({ id: {} }), -32600],
    ['an id of 257 characters', envelope({ id: 'x'.repeat(257) }), -32600],
  ])('refuses %s, with the id null', async (_what, body, code) => {
    const server = await startTestServer()
    expect(await told(await post(server, body))).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: null, error: { code } } })
  })

  test.each<[string, object]>([
    ['another version of JSON-RPC', { jsonrpc: '1.0' }],
    ['no version of JSON-RPC', { jsonrpc: undefined }],
    ['no method', { method: undefined }],
    ['a method that is no string', { method: 1 }],
  ])('refuses %s, with the id of the request', async (_what, fields) => {
    const server = await startTestServer()
    for (const id of [0, 'abc']) {
      const answer = await told(await post(server, envelope({ id, ...fields })))
      expect(answer).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id, error: { code: -32600 } } })
    }
  })

  test.each([0, 7, -1, '', 'abc', '0', 'x'.repeat(256)])('echoes the id %j in results and errors', async (id) => {
    const server = await startTestServer()
    expect((await told(await post(server, envelope({ id, method: 'SendMessage', params: send })))).body.id).toBe(id)
    expect((await told(await post(server, envelope({ id })))).body).toMatchObject({ id, error: { code: -32001 } })
    expect((await told(await post(server, envelope({ id, method: 'Nope' })))).body).toMatchObject({ id, error: { code: -32601 } })
    expect((await told(await post(server, envelope({ id }), { 'Content-Type': 'application/json' }))).body).toMatchObject({
      id,
      error: { code: -32009 },
    })
  })

  test.each(['message/send', 'tasks/get', 'sendMessage', 'toString', '__proto__', ''])('knows no method %j', async (method) => {
    const server = await startTestServer()
    expect((await told(await post(server, envelope({ method })))).body).toMatchObject({ id: 1, error: { code: -32601 } })
  })

  test.each<[string, object, string, string]>([
    ['both', {}, 'SendMessage', 'Method not found in A2A 0.3: it is one of 1.0, which needs the header A2A-Version: 1.0'],
    ['both', { 'A2A-Version': '0.3' }, 'GetTask', 'Method not found in A2A 0.3: it is one of 1.0, which needs the header A2A-Version: 1.0'],
    ['both', V1, 'message/send', 'Method not found in A2A 1.0: it is one of 0.3, which needs the header A2A-Version: 0.3, or none'],
    ['1.0', V1, 'message/send', 'Method not found in A2A 1.0: it is one of 0.3, which is not served here'],
    ['0.3', {}, 'SendMessage', 'Method not found in A2A 0.3: it is one of 1.0, which is not served here'],
    ['both', V1, 'Nope', 'Method not found'],
    ['both', {}, 'toString', 'Method not found'],
  ])('served in %s, with %j, tells of the method %s where it is', async (served, version, method, message) => {
    const { supportedInterfaces, ...card } = bothVersions()
    const interfaces = supportedInterfaces.filter(({ protocolVersion }) => served === 'both' || served === protocolVersion)
    const server = await startTestServer({ card: { ...card, supportedInterfaces: interfaces } })
    const { status, body } = await told(await post(server, envelope({ method }), { 'Content-Type': 'application/json', ...version }))
    expect([status, body.error]).toEqual([200, { code: -32601, message }])
  })

  test.each([[null], [[]], ['id'], [1]])('takes no params %j', async (params) => {
    const server = await startTestServer()
    expect((await told(await post(server, envelope({ params })))).body).toMatchObject({ id: 1, error: { code: -32602 } })
  })

  test('takes no params where an operation needs none', async () => {
    const server = await startTestServer()
    const { body } = await told(await post(server, envelope({ method: 'ListTasks', params: undefined })))
    expect(body).toMatchObject({ result: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 } })
  })

  test('takes snake_case and ignores what it does not know', async () => {
    const server = await startTestServer()
    const params = { page_size: '3', include_artifacts: true, 'x-foo': 1 }
    expect((await told(await post(server, envelope({ method: 'ListTasks', params })))).body).toMatchObject({ result: { pageSize: 3 } })
  })

  test.each(['text/plain', 'application/a2a+json', 'application/x-www-form-urlencoded', undefined])(
    'refuses the content type %s before it reads anything',
    async (type) => {
      const server = await startTestServer()
      const body = new Blob(['{'])
      const response = await server.fetch('/a2a', { method: 'POST', body, headers: type === undefined ? {} : { 'Content-Type': type } })
      expect(await told(response)).toMatchObject({ status: 200, body: { id: null, error: { code: -32005 } } })
    },
  )

  test.each(['application/json; charset=utf-8', 'Application/JSON'])('takes the content type %s', async (type) => {
    const server = await startTestServer()
    const response = await post(server, envelope(), { ...HEADERS, 'Content-Type': type })
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect((await told(response)).body).toMatchObject({ error: { code: -32001 } })
  })

  test('is served at its path with and without a slash, and to POST alone', async () => {
    const server = await startTestServer()
    expect((await told(await post(server, envelope(), HEADERS, '/a2a/'))).body).toMatchObject({ error: { code: -32001 } })
    const response = await server.fetch('/a2a')
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST'])
  })

  test('takes the version as a parameter of the URL, and the header before it', async () => {
    const server = await startTestServer()
    const json = { 'Content-Type': 'application/json' }
    const codeOf = async (response: Promise<Response>) => (await told(await response)).body.error?.code
    expect(await codeOf(post(server, envelope(), json, '/a2a?A2A-Version=1.0'))).toBe(-32001)
    expect(await codeOf(post(server, envelope(), { ...json, 'a2a-version': '1.0.7' }, '/a2a?A2A-Version=0.3'))).toBe(-32001)
    expect(await codeOf(post(server, envelope(), { ...json, 'A2A-Version': '0.3' }, '/a2a?A2A-Version=1.0'))).toBe(-32009)
  })

  test.each<[string, string, object, Readonly<Record<string, string>>, number]>([
    ['content type before JSON', '{', {}, { 'Content-Type': 'text/plain' }, -32005],
    ['envelope before version', '', { jsonrpc: 1 }, { 'Content-Type': 'application/json' }, -32600],
    ['version before method', '', { method: 'Nope' }, { 'Content-Type': 'application/json' }, -32009],
    ['method before extensions', '', { method: 'Nope' }, { ...HEADERS, 'A2A-Extensions': 'urn:x' }, -32601],
    ['extensions before params', '', { params: {} }, { ...HEADERS, 'A2A-Extensions': 'urn:x' }, -32004],
    ['params before tenant', '', { params: { id: '', tenant: 'acme' } }, HEADERS, -32602],
    ['tenant before capability', '', { method: 'GetExtendedAgentCard', params: { tenant: 'acme' } }, HEADERS, -32602],
  ])('refuses in order: %s', async (_what, raw, fields, headers, code) => {
    const server = await startTestServer()
    expect((await told(await post(server, raw || envelope(fields), headers))).body).toMatchObject({ error: { code } })
  })
})
