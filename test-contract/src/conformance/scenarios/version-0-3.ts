import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { fresh, says, scripted, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import type { Fields } from '../wire/forms.js'

const JSONRPC = { profile: 'everything', on: ['JSONRPC'] } as const
const HTTP = { profile: 'everything', on: ['HTTP+JSON'] } as const

async function rpc(url: string, method: string, params: Fields, version?: string): Promise<Fields> {
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(version !== undefined && { 'A2A-Version': version }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as Fields
}

async function rest(url: string, verb: string, path: string, body?: Fields): Promise<{ status: number; type: string; body: Fields }> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`${url}/a2a/v1/${path}`, { method: verb, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, type: response.headers.get('Content-Type') ?? '', body: (await response.json()) as Fields }
}

const message = (text: string, fields: Fields = {}) => ({
  kind: 'message',
  messageId: randomUUID(),
  role: 'user',
  parts: [{ kind: 'text', text }],
  ...fields,
})
const protoMessage = (text: string, fields: Fields = {}) => ({ messageId: randomUUID(), role: 'ROLE_USER', content: [{ text }], ...fields })
const BLOCKING = { configuration: { blocking: true } }

scenario('0.3: the version and the method say which protocol is spoken', ['V03-01', 'PARAM-03'], JSONRPC, async ({ url }) => {
  const params = { id: fresh('none') }
  for (const version of ['0.3', '', undefined])
    expect(await rpc(url, 'tasks/get', params, version)).toMatchObject({ error: { code: -32001 } })
  expect(await rpc(url, 'tasks/get', params, '1.0')).toMatchObject({ error: { code: -32601 } })
  for (const version of ['0.3', undefined]) expect(await rpc(url, 'GetTask', params, version)).toMatchObject({ error: { code: -32601 } })
})

scenario('0.3: HTTP+JSON is under /v1, in application/json', ['V03-02', 'PARAM-03'], HTTP, async ({ url }) => {
  const sent = await rest(url, 'POST', 'message:send', { message: protoMessage('hello'), ...BLOCKING })
  expect(sent).toMatchObject({ status: 200, type: 'application/json', body: { task: { status: { state: 'TASK_STATE_COMPLETED' } } } })
  const { id } = sent.body['task'] as WireTask
  expect(await rest(url, 'GET', `tasks/${id}`)).toMatchObject({ status: 200, body: { id } })
  expect(await rest(url, 'GET', 'card')).toMatchObject({ status: 400, body: { code: -32007 } })
})

scenario('0.3: objects have the form of 0.3', ['V03-03'], JSONRPC, async ({ url }) => {
  const { result: ended } = await rpc(url, 'message/send', { message: message('hello'), ...BLOCKING })
  expect(ended).toMatchObject({
    kind: 'task',
    status: { state: 'completed', message: { kind: 'message', role: 'agent', parts: [{ kind: 'text' }] } },
  })
  const { result: task } = await rpc(url, 'message/send', { message: message('tck-input-required'), configuration: {} })
  expect(task).toMatchObject({ kind: 'task', status: { state: expect.stringMatching(/^(submitted|working|input-required)$/) } })
  const pushNotificationConfig = { id: 'old', url: 'https://example.com/hook' }
  const taskId = (task as WireTask).id
  expect(await rpc(url, 'tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig })).toMatchObject({
    result: { taskId, pushNotificationConfig },
  })
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message: message('hello') } }),
  })
  const events = (await response.text())
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [(JSON.parse(line.slice(5)) as Fields)['result']] : []))
  expect(events[0]).toMatchObject({ kind: 'task' })
  expect(events.at(-1)).toMatchObject({ kind: 'status-update', final: true, status: { state: 'completed' } })
})

scenario('0.3: objects have the form of 0.3', ['V03-03'], HTTP, async ({ url }) => {
  const sent = await rest(url, 'POST', 'message:send', { message: protoMessage('tck-input-required'), configuration: {} })
  const { id } = sent.body['task'] as WireTask
  expect(sent.body).toMatchObject({ task: { status: { state: expect.stringMatching(/^TASK_STATE_(SUBMITTED|WORKING|INPUT_REQUIRED)$/) } } })
  expect(sent.body).toMatchObject({ task: { history: [{ content: [{ text: 'tck-input-required' }] }] } })
  expect(await rest(url, 'POST', `tasks/${id}:cancel`)).toMatchObject({ status: 200, body: { status: { state: 'TASK_STATE_CANCELLED' } } })
})

scenario('0.3: errors have the codes of 0.3', ['V03-05'], { profile: 'everything' }, async ({ url, binding, client }) => {
  const { task } = await client.result<{ task: WireTask }>('SendMessage', says('hello'))
  const codeOf = async (method: string, path: readonly [verb: string, path: string], params: Fields) => {
    if (binding === 'HTTP+JSON') return (await rest(url, ...path)).body['code']
    return ((await rpc(url, method, params))['error'] as Fields)['code']
  }
  expect(await codeOf('tasks/get', ['GET', 'tasks/none'], { id: 'none' })).toBe(-32001)
  expect(await codeOf('tasks/cancel', ['POST', `tasks/${task.id}:cancel`], { id: task.id })).toBe(-32002)
  expect(await codeOf('agent/getAuthenticatedExtendedCard', ['GET', 'card'], {})).toBe(-32007)
  expect(await codeOf('tasks/none', ['GET', 'none'], {})).toBe(-32601)
})

scenario(
  '0.3: a task is the same in both versions',
  ['V03-06', 'BIND-07'],
  { profile: 'everything' },
  async ({ url, client, other, binding }) => {
    const { task: newer } = await client.result<{ task: WireTask }>(
      'SendMessage',
      scripted([{ chunk: 'a', artifact: 'a' }, { ask: 'more?' }]),
    )
    const read =
      binding === 'JSONRPC' ? (await rpc(url, 'tasks/get', { id: newer.id }))['result'] : (await rest(url, 'GET', `tasks/${newer.id}`)).body
    expect(read).toMatchObject({ id: newer.id, contextId: newer.contextId, artifacts: [{ artifactId: 'a' }] })
    const reply = { taskId: newer.id }
    if (binding === 'JSONRPC') await rpc(url, 'message/send', { message: message('that is all', reply), ...BLOCKING })
    else await rest(url, 'POST', 'message:send', { message: protoMessage('that is all', reply), ...BLOCKING })
    expect(await other.result('GetTask', { id: newer.id })).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'a' }],
    })
  },
)
