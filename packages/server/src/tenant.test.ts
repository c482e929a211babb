import { describe, expect, test } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { testCard } from './testing/test-agent.js'
import { startTestServer, type TestServer, type TestServerOptions } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'
import { bothVersions, http, json, rpc } from './v0-3/testing/v0-3-server.js'

const acme = testCard().supportedInterfaces.map((entry) => ({ ...entry, tenant: 'acme' }))
const card = testCard({ supportedInterfaces: [...testCard().supportedInterfaces, ...acme] })
const declared = (options: TestServerOptions = {}) => startTestServer({ card, ...options })

/** The server behind a URL that has this query too. */
function withQuery(server: TestServer, query: string): TestServer {
  return { ...server, fetch: (path, init) => server.fetch(`${path}${path.includes('?') ? '&' : '?'}${query}`, init) }
}

describe.each(BINDINGS)('the tenant in the query over $name', (binding) => {
  const send = { message: hello(), configuration: { returnImmediately: true } }
  const sendTo = async (server: TestServer, query: string, fields = {}) =>
    binding.call(withQuery(server, query), 'sendMessage', { ...send, ...fields })

  test('is that of the request', async () => {
    const server = await declared()
    const { task } = (await binding.result(await sendTo(server, 'tenant=acme'))) as { task: { id: string } }
    const get = async (target: TestServer) => (await binding.call(target, 'getTask', { id: task.id })).json()
    expect(await get(server)).toMatchObject({ error: {} })
    expect(JSON.stringify(await get(withQuery(server, 'tenant=acme')))).toContain(`"id":"${task.id}"`)
    expect(JSON.stringify(await get(withQuery(server, 'tenant=acme&tenant=&tenant=acme')))).toContain(`"id":"${task.id}"`)
  })

  test.each([
    ['the body names another one', 'tenant=other', { tenant: 'acme' }],
    ['no interface declares it', 'tenant=other', {}],
    ['there are two', 'tenant=acme&tenant=other', {}],
    ['it is no name', 'tenant=%00', {}],
  ])('is refused where %s, and nothing is made', async (_, query, fields) => {
    const server = await declared()
    const { details } = await binding.error(await sendTo(server, query, fields))
    expect(details).toMatchObject([{ reason: 'INVALID_PARAMS' }, { fieldViolations: [{ field: 'tenant' }] }])
    expect(server.wakes).toEqual([])
  })

  test('is none where it is empty, and the same as that of the body', async () => {
    const server = await declared()
    expect(await binding.result(await sendTo(server, 'tenant='))).toMatchObject({ task: {} })
    expect(await binding.result(await sendTo(server, 'tenant=acme', { tenant: 'acme' }))).toMatchObject({ task: {} })
  })
})

test('A2A 0.3 takes the tenant of the query, and refuses what no interface declares', async () => {
  const both = bothVersions()
  const server = await declared({ card: { ...both, supportedInterfaces: [...both.supportedInterfaces, ...acme] } })
  const message = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hello' }] }
  const sent = await rpc(withQuery(server, 'tenant=acme'), 'message/send', { message, configuration: { blocking: false } })
  const { id } = (await json(sent))['result'] as { id: string }
  expect((await http(server, 'GET', `tasks/${id}`)).status).toBe(404)
  expect((await http(server, 'GET', `tasks/${id}?tenant=acme`)).status).toBe(200)
  for (const query of ['tenant=other', 'tenant=acme&tenant=other']) {
    const violation = { code: -32602, data: [{}, { fieldViolations: [{ field: 'tenant' }] }] }
    expect((await json(await rpc(withQuery(server, query), 'tasks/get', { id })))['error']).toMatchObject(violation)
    expect(await json(await http(server, 'GET', `tasks/${id}?${query}`))).toMatchObject(violation)
  }
})
