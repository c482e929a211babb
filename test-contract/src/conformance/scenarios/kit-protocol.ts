import { expect } from 'vitest'
import { kitId, kitMessage } from '../kit/kit-messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'

const HOST = { on: ['host'] } as const
const CARD = '/.well-known/agent-card.json'

scenario(
  'the kit: versions',
  ['VER-SERVER-001', 'VER-SERVER-002', 'VER-SERVER-003', 'VER-CLIENT-002', 'PARAM-02', 'PARAM-03', 'PARAM-04'],
  async ({ kit, binding }) => {
    const request = { message: kitMessage('ver-002', 'version test') }
    const at = (version: string) => ({ headers: { 'A2A-Version': version } })
    expectError(await kit.refusal('SendMessage', request, at('99.0')), binding, 'VERSION_NOT_SUPPORTED')
    // The kit takes a result or an error here.
    expectError(await kit.refusal('SendMessage', request, at('')), binding, 'VERSION_NOT_SUPPORTED')
    for (const version of ['1.0', '1.0.1']) expect(await kit.result('SendMessage', request, at(version))).toHaveProperty('task')
  },
)

scenario(
  'the kit: capabilities that are not declared',
  ['CORE-CAP-001', 'CORE-CAP-002', 'CORE-CAP-003', 'PUSH-01', 'STREAM-01', 'SUB-06', 'CARD-08'],
  { profile: 'bare' },
  async ({ kit, binding }) => {
    const create = { taskId: kitId('error-code-003'), id: kitId('push'), url: 'https://example.com/tck-push-webhook' }
    expectError(await kit.refusal('CreateTaskPushNotificationConfig', create), binding, 'PUSH_NOTIFICATION_NOT_SUPPORTED')
    const message = kitMessage('cap-stream', 'stream test')
    expectError(await kit.refusal('SendStreamingMessage', { message }), binding, 'UNSUPPORTED_OPERATION')
    expectError(await kit.refusal('GetExtendedAgentCard'), binding, 'UNSUPPORTED_OPERATION')
  },
)

scenario(
  'the kit: an extension that is required',
  ['CORE-CAP-004', 'PARAM-06'],
  { profile: 'required-extension' },
  async ({ kit, binding }) => {
    expectError(
      await kit.refusal('SendMessage', { message: kitMessage('cap-ext-004', 'extension test') }),
      binding,
      'EXTENSION_SUPPORT_REQUIRED',
    )
  },
)

scenario(
  'the kit: JSON-RPC',
  ['JSONRPC-SVC-001', 'JSONRPC-FMT-001', 'JSONRPC-FMT-002', 'JSONRPC-ERR-001', 'BIND-01', 'BIND-02', 'BIND-03'],
  { on: ['JSONRPC'] },
  async ({ kit, binding, url }) => {
    for (const path of ['', '/']) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'NonExistentMethod', params: {} })
      const response = await fetch(`${url}/a2a${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
        body,
      })
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: expect.any(String) } })
    }
    const answer = await kit.call('SendMessage', { message: kitMessage('transport-test-001', 'Hello from TCK transport test') })
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: 1, result: {} })
    const printed = `{'jsonrpc': '2.0', 'id': 1, 'method': 'SendMessage', 'params': {'message': {'role': 'ROLE_USER'}}}`
    const error = await kit.refusal('SendMessage', {}, { headers: { 'Content-Type': 'text/plain' }, body: printed })
    expectError(error, binding, 'CONTENT_TYPE_NOT_SUPPORTED')
  },
)

scenario(
  'the kit: HTTP+JSON',
  ['HTTP_JSON-SVC-001', 'HTTP_JSON-ERR-001', 'HTTP_JSON-URL-001', 'HTTP_JSON-URL-002', 'HTTP_JSON-QP-001', 'BIND-04', 'BIND-05', 'LIST-12'],
  { on: ['HTTP+JSON'] },
  async ({ kit }) => {
    const answer = await kit.call('SendMessage', { message: kitMessage('transport-test-001', 'Hello from TCK transport test') })
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
    const error = await kit.refusal('GetTask', { id: kitId('nonexistent-pd-001') })
    expect(error).toMatchObject({ httpStatus: 404, code: 404, contentType: 'application/a2a+json', status: 'NOT_FOUND' })
    expect(await kit.result('ListTasks', { contextId: kitId('none'), pageSize: 2, includeArtifacts: false })).toMatchObject({ pageSize: 2 })
  },
)

scenario('the kit: unknown fields', ['DM-SERIAL-005', 'BIND-11'], async ({ kit }) => {
  const message = kitMessage('dm-serial-005', 'unrecognized field test', { tckUnknownField: 'should-be-ignored' })
  expect(await kit.result('SendMessage', { message, tckExtraParam: 42 })).toHaveProperty('task')
})

scenario(
  'the kit: the form of an answer',
  ['DM-PART-001', 'DM-SERIAL-001', 'DM-SERIAL-002', 'DM-SERIAL-003', 'BIND-09', 'BIND-12'],
  async ({ kit }) => {
    const { text } = await kit.call('SendMessage', { message: kitMessage('dm-test-001', 'Hello from TCK data model test') })
    expect(text).not.toMatch(/"[a-z]+_[a-z_]+":/)
    expect(text).toContain('"role":"ROLE_USER"')
    expect(text).toMatch(/"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/)
  },
)

scenario('the kit: bindings agree', ['BIND-EQUIV-001', 'BIND-EQUIV-002', 'BIND-EQUIV-003', 'BIND-07'], async ({ kit, other }) => {
  const { task } = await kit.result<{ task: { id: string } }>('SendMessage', { message: kitMessage('complete-task', 'Hello from TCK') })
  expect(await other.result('GetTask', { id: task.id })).toEqual(await kit.result('GetTask', { id: task.id }))
})

scenario(
  'the kit: the card',
  [
    'CARD-DISC-001',
    'CARD-PROTO-001',
    'CARD-PROTO-002',
    'CARD-STRUCT-001',
    'BIND-FIELD-001',
    'CARD-CACHE-001',
    'CARD-CACHE-002',
    'CARD-CACHE-003',
  ],
  HOST,
  async ({ url }) => {
    const response = await fetch(`${url}${CARD}`)
    expect(response.status).toBe(200)
    for (const header of ['Cache-Control', 'ETag', 'Last-Modified']) expect(response.headers.get(header)).not.toBeNull()
    const { supportedInterfaces } = (await response.json()) as { supportedInterfaces: readonly Fields[] }
    expect(supportedInterfaces).toEqual([
      { url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/a2a`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ])
  },
)
