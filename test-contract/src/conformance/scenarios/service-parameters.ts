import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect } from 'vitest'
import type { Binding } from '../manifest/requirement.js'
import { atOnce, fresh, says, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'

scenario('headers have any case', ['PARAM-01'], async ({ binding, url }) => {
  for (const name of ['a2a-version', 'A2A-VERSION', 'A2a-Version']) expect(await statusWith(name, binding, url)).toBe(200)
})

/** `fetch` would write the name in a case of its own. */
async function statusWith(name: string, binding: Binding, url: string): Promise<number | undefined> {
  const isJsonRpc = binding === 'JSONRPC'
  const sent = request(`${url}/a2a${isJsonRpc ? '' : '/tasks'}`, {
    method: isJsonRpc ? 'POST' : 'GET',
    headers: { [name]: '1.0', 'CONTENT-TYPE': 'application/json' },
  })
  sent.end(isJsonRpc ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks' }) : undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  expect(body).not.toContain('VERSION_NOT_SUPPORTED')
  return response.statusCode
}

scenario('a version that is not served is refused before the method is looked at', ['PARAM-02', 'ERR-09'], async ({ client, binding }) => {
  const contextId = fresh('version')
  for (const version of ['99.0', '2.0', 'one', '1', '1.0.0.0']) {
    const headers = { 'A2A-Version': version }
    expectError(await client.refusal('SendMessage', says('hello', { contextId }), { headers }), binding, 'VERSION_NOT_SUPPORTED')
    if (binding === 'JSONRPC')
      expectError(await client.refusal('NoSuchMethod' as 'GetTask', {}, { headers }), binding, 'VERSION_NOT_SUPPORTED')
  }
  expect(await client.result('ListTasks', { contextId })).toMatchObject({ totalSize: 0 })
})

scenario(
  'without a version, a request is of 0.3, which this card does not declare',
  ['PARAM-03', 'ERR-09'],
  async ({ client, binding }) => {
    expectError(
      await client.refusal('GetTask', { id: fresh('none') }, { headers: { 'A2A-Version': '' } }),
      binding,
      'VERSION_NOT_SUPPORTED',
    )
  },
)

scenario('the patch number counts for nothing', ['PARAM-04'], async ({ client }) => {
  for (const version of ['1.0', '1.0.0', '1.0.1', '1.0.7', ' 1.0 ']) {
    const { task } = await client.result<{ task: WireTask }>('SendMessage', says('hello'), { headers: { 'A2A-Version': version } })
    expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  }
})

scenario('the version may stand in the query, behind that of the header', ['PARAM-05'], async ({ binding, url }) => {
  const ask = async (version: string, header?: string) => {
    const headers = { 'Content-Type': 'application/json', ...(header !== undefined && { 'A2A-Version': header }) }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} })
    const request = binding === 'JSONRPC' ? { method: 'POST', headers, body } : { headers }
    const response = await fetch(`${url}/a2a${binding === 'JSONRPC' ? '' : '/tasks'}?A2A-Version=${version}`, request)
    return (await response.text()).includes('VERSION_NOT_SUPPORTED') ? 'refused' : 'served'
  }
  expect([await ask('1.0'), await ask('9.0'), await ask('9.0', '1.0'), await ask('1.0', '9.0')]).toEqual([
    'served',
    'refused',
    'served',
    'refused',
  ])
})

scenario(
  'an extension that nobody declares is refused on every operation, and no task is made',
  ['PARAM-07', 'ERR-04'],
  async ({ client, binding }) => {
    const contextId = fresh('extension')
    const headers = { 'A2A-Extensions': 'https://example.com/ext/v1' }
    for (const send of ['SendMessage', 'SendStreamingMessage'] as const) {
      expectError(await client.refusal(send, says('hello', { contextId }), { headers }), binding, 'UNSUPPORTED_OPERATION')
    }
    for (const operation of ['GetTask', 'CancelTask', 'SubscribeToTask'] as const) {
      expectError(await client.refusal(operation, { id: fresh('none') }, { headers }), binding, 'UNSUPPORTED_OPERATION')
    }
    expectError(await client.refusal('ListTasks', { contextId }, { headers }), binding, 'UNSUPPORTED_OPERATION')
    expect(await client.result('ListTasks', { contextId })).toMatchObject({ totalSize: 0 })
  },
)

const REQUIRED = 'urn:a2a:tck:required-extension'

scenario(
  'an extension that is required must be named',
  ['PARAM-06', 'ERR-08'],
  { profile: 'required-extension' },
  async ({ client, binding }) => {
    expectError(await client.refusal('SendMessage', says('hello')), binding, 'EXTENSION_SUPPORT_REQUIRED')
    expectError(await client.refusal('GetTask', { id: fresh('none') }), binding, 'EXTENSION_SUPPORT_REQUIRED')
    await client.result('SendMessage', atOnce(says('hello')), { headers: { 'A2A-Extensions': REQUIRED } })
  },
)

scenario(
  'answers, errors and streams name what was activated',
  ['PARAM-08', 'PARAM-09'],
  { profile: 'required-extension' },
  async ({ client, binding, url }) => {
    const headers = { 'A2A-Extensions': ` ${REQUIRED} , ${REQUIRED},` }
    const answer = await client.call('SendMessage', atOnce(says('hello')), { headers })
    expect([answer.status, answer.headers.get('A2A-Extensions')]).toEqual([200, REQUIRED])
    const error = await client.call('GetTask', { id: fresh('none') }, { headers })
    expect(error.headers.get('A2A-Extensions')).toBe(REQUIRED)
    const stream = await client.stream('SendStreamingMessage', says('hello'), { headers })
    expect(stream.headers.get('A2A-Extensions')).toBe(REQUIRED)
    await stream.close()
    expect(await severalHeaders(binding === 'JSONRPC' ? `${url}/a2a` : `${url}/a2a/tasks`, binding === 'JSONRPC')).toBe(REQUIRED)
  },
)

/** As several headers of one name come to a server: joined by commas (RFC 9110 §5.3), with empty members. */
async function severalHeaders(target: string, isJsonRpc: boolean): Promise<string | null> {
  const headers = new Headers({ 'A2A-Version': '1.0', 'Content-Type': 'application/json' })
  for (const value of ['', REQUIRED, '  ']) headers.append('A2A-Extensions', value)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks' })
  const response = await fetch(target, isJsonRpc ? { method: 'POST', headers, body } : { headers })
  return response.headers.get('A2A-Extensions')
}
