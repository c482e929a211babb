import { expect } from 'vitest'
import { fresh, says } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'

const JSONRPC = { on: ['JSONRPC'] } as const
const METHODS_OF_0_3 = [
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'agent/getAuthenticatedExtendedCard',
]

async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, type: response.headers.get('Content-Type'), answer: (await response.json()) as Fields }
}

const envelope = (fields: object = {}) => ({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {}, ...fields })

scenario(
  'methods have the names of the operations, and may go without parameters',
  ['BIND-01', 'ERR-12'],
  JSONRPC,
  async ({ client, url, binding }) => {
    const { method: _, params: __, ...bare } = envelope()
    expect((await post(url, { ...bare, method: 'ListTasks' })).answer).toHaveProperty('result')
    expect((await post(url, { ...bare, method: 'GetExtendedAgentCard' })).answer).toMatchObject({ error: { code: -32004 } })
    for (const method of [...METHODS_OF_0_3, 'sendMessage', 'sendmessage', 'NoSuchMethod', '', 'toString', '__proto__']) {
      expectError(await client.refusal(method as 'GetTask', {}), binding, 'METHOD_NOT_FOUND')
    }
  },
)

scenario(
  'an answer has the id of its request, also 0, and null where there was none to read',
  ['BIND-03', 'ERR-19'],
  JSONRPC,
  async ({ url }) => {
    for (const id of [0, 1, -7, 'text', '', 2 ** 53 - 1]) {
      expect(Object.keys((await post(url, envelope({ id }))).answer).sort()).toEqual(['id', 'jsonrpc', 'result'])
      expect((await post(url, envelope({ id }))).answer).toMatchObject({ jsonrpc: '2.0', id })
      const refused = (await post(url, envelope({ id, method: 'GetTask', params: { id: fresh('none') } }))).answer
      expect(refused).toEqual({ jsonrpc: '2.0', id, error: { code: -32001, message: expect.any(String), data: expect.any(Array) } })
    }
    for (const wrong of [{ jsonrpc: '1.0' }, { method: 7 }]) {
      expect((await post(url, envelope({ id: 'text', ...wrong }))).answer).toMatchObject({
        jsonrpc: '2.0',
        id: 'text',
        error: { code: -32600 },
      })
    }
    expect((await post(url, '{')).answer).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } })
    expect((await post(url, envelope({ id: { a: 1 } }))).answer).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
  },
)

scenario('every event of a stream has the id of its request', ['STREAM-09', 'ERR-19'], JSONRPC, async ({ url }) => {
  for (const id of ['text', 42, 0]) {
    const response = await fetch(`${url}/a2a`, {
      method: 'POST',
      headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
      body: JSON.stringify(envelope({ id, method: 'SendStreamingMessage', params: says('hello') })),
    })
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, expect.stringMatching(/^text\/event-stream/)])
    const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data:'))
    expect(lines.length).toBeGreaterThanOrEqual(2)
    for (const line of lines) expect(JSON.parse(line.slice(5))).toEqual({ jsonrpc: '2.0', id, result: expect.any(Object) })
  }
})

scenario(
  'what is no request of JSON-RPC 2.0 is refused, and nothing is done',
  ['ERR-11', 'ERR-19', 'BIND-03'],
  JSONRPC,
  async ({ client, url }) => {
    const contextId = fresh('none')
    const send = { method: 'SendMessage', params: says('hello', { contextId }) }
    const { id: _, ...notification } = envelope(send)
    const wrong: readonly unknown[] = [
      notification,
      [envelope(send)],
      [],
      { ...envelope(send), jsonrpc: '1.0' },
      { ...envelope(send), jsonrpc: 2 },
      { ...envelope(send), id: null },
      { ...envelope(send), id: 1.5 },
      { ...envelope(send), method: 7 },
    ]
    for (const body of wrong) expect((await post(url, body)).answer).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
    expect(await client.result('ListTasks', { contextId })).toMatchObject({ totalSize: 0 })
  },
)

scenario('requests and answers are application/json', ['BIND-02'], JSONRPC, async ({ client, url, binding }) => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
    expect(await post(url, envelope(), { 'Content-Type': type })).toMatchObject({
      status: 200,
      type: 'application/json',
      answer: { id: 1 },
    })
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/a2a+json']) {
    const error = await client.refusal('GetTask', {}, { headers: { 'Content-Type': type }, body: '{' })
    expectError(error, binding, 'CONTENT_TYPE_NOT_SUPPORTED')
  }
})

scenario('another verb than POST is not allowed', ['ERR-12'], JSONRPC, async ({ url }) => {
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const response = await fetch(`${url}/a2a`, { method })
    expect([response.status, response.headers.get('Allow'), response.headers.get('Content-Type')]).toEqual([
      405,
      'POST',
      'application/json',
    ])
  }
})
