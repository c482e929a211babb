import { describe, expect, test } from 'vitest'
import { countFollowers } from '../testing/count-followers.js'
import { chunk, playTurn, says } from '../testing/play.js'
import { readSse } from '../testing/read-sse.js'
import { testCard } from '../testing/test-agent.js'
import { overrideStore, startTestServer, type TestServer } from '../testing/test-server.js'
import { endedTask, newTask } from '../testing/test-tasks.js'
import { bothVersions, json, rpc, startBoth } from './testing/v0-3-server.js'

const message = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hello' }] }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const id = expect.stringMatching(/^[0-9a-f-]{36}$/)

const sendAtOnce = async (server: TestServer) =>
  (await json(await rpc(server, 'message/send', { message, configuration: { blocking: false } })))['result'] as Record<string, string>

describe('A2A 0.3 in JSON-RPC', () => {
  test('answers message/send with the bare task, in lowercase and with its kind', async () => {
    expect(await json(await rpc(await startBoth(), 'message/send', { message, configuration: { blocking: false } }))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        kind: 'task',
        id,
        contextId: id,
        status: { state: 'submitted', timestamp: time },
        history: [{ ...message, taskId: id, contextId: id }],
      },
    })
  })

  test.each([
    [undefined, true],
    [{}, false],
    [{ blocking: false }, false],
    [{ blocking: true }, true],
    [{ blocking: null, acceptedOutputModes: [] }, false],
  ])('with the configuration %j waits: %s', async (configuration, waits) => {
    const server = await startBoth()
    const sent = rpc(server, 'message/send', { message, ...(configuration && { configuration }) })
    const { taskId } = await server.woken(1)
    if (waits) await playTurn(server.store, taskId, { kind: 'complete', message: says('done') })
    const { result } = (await json(await sent)) as { result: { status: { state: string } } }
    expect(result.status.state).toBe(waits ? 'completed' : 'submitted')
  })

  test('streams bare events, of which the one that ends the task is final, each under its seq', async () => {
    const server = await startBoth()
    const response = await rpc(server, 'message/stream', { message })
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'complete', message: says('done') }, chunk('a', 'one'))
    const events = await readSse(response).rest()
    expect(events.map((event) => JSON.parse(event.data))).toMatchObject([
      { jsonrpc: '2.0', id: 7, result: { kind: 'task', id: taskId, status: { state: 'submitted' } } },
      { result: { kind: 'status-update', taskId, status: { state: 'working' }, final: false } },
      {
        result: { kind: 'artifact-update', taskId, artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'one' }] } },
      },
      { result: { kind: 'status-update', status: { state: 'completed', message: { role: 'agent', kind: 'message' } }, final: true } },
    ])
    expect(events.map((event) => Number(event.id))).toEqual([1, 2, 3, 4])
  })

  test('marks the question that ends the stream of a message as final, and not for who resubscribes', async () => {
    const server = await startBoth()
    const response = await rpc(server, 'message/stream', { message })
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'ask', message: says('which?') })
    const events = (await readSse(response).rest()).map((event) => JSON.parse(event.data).result)
    expect(events.slice(1)).toMatchObject([
      { status: { state: 'working' }, final: false },
      { status: { state: 'input-required' }, final: true },
    ])
    const again = readSse(await rpc(server, 'tasks/resubscribe', { id: taskId }, { 'Last-Event-ID': '2' }))
    expect(JSON.parse((await again.next())?.data ?? '').result).toMatchObject({ status: { state: 'input-required' }, final: false })
    await again.cancel()
  })

  test('names the media type of a file as 0.3 does where it is not accepted', async () => {
    const parts = [{ kind: 'file', file: { bytes: 'AA==', mimeType: 'application/x-nope' } }]
    const { error } = await json(await rpc(await startBoth(), 'message/send', { message: { ...message, parts } }))
    const field = 'message.parts[0].file.mimeType'
    const told = { code: -32005, message: expect.stringContaining(`${field} is not accepted`), data: [{ metadata: { field } }] }
    expect(error).toMatchObject(told)
  })

  test('resubscribes after Last-Event-ID, and gives a task that has ended once', async () => {
    const server = await startBoth()
    const taskId = await endedTask(server, 'complete')
    const all = await readSse(await rpc(server, 'tasks/resubscribe', { id: taskId }, { 'Last-Event-ID': '0' })).rest()
    const rest = await readSse(await rpc(server, 'tasks/resubscribe', { id: taskId }, { 'Last-Event-ID': '2' })).rest()
    expect(rest).toEqual(all.slice(2))
    const [event, ...others] = await readSse(await rpc(server, 'tasks/resubscribe', { id: taskId })).rest()
    expect([JSON.parse(event?.data ?? ''), others]).toMatchObject([{ result: { kind: 'task', status: { state: 'completed' } } }, []])
  })

  test('begins a stream before there is an event, and keeps it alive', async () => {
    const server = await startBoth({ keepAliveMs: 5 })
    const taskId = await newTask(server)
    const seq = (await server.store.get(taskId))?.record.seq
    const response = await rpc(server, 'tasks/resubscribe', { id: taskId }, { 'Last-Event-ID': String(seq) })
    const reader = response.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(new TextDecoder().decode(value)).toBe(': keep-alive\n\n')
    await reader?.cancel()
  })

  test.each([
    ['message/stream', { message: { ...message, taskId: 'nope' } }, -32001],
    ['tasks/resubscribe', { id: 'nope' }, -32001],
    ['message/stream', { message: { ...message, parts: [] } }, -32602],
  ])('answers what %s refuses with JSON', async (method, params, code) => {
    const response = await rpc(await startBoth(), method, params)
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/json'])
    expect(await json(response)).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code } })
  })

  test('answers tasks/get and tasks/cancel with the task', async () => {
    const server = await startBoth()
    const { id: taskId } = await sendAtOnce(server)
    expect(await json(await rpc(server, 'tasks/get', { id: taskId, historyLength: 0 }))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { kind: 'task', id: taskId, contextId: id, status: { state: 'submitted', timestamp: time } },
    })
    expect(await json(await rpc(server, 'tasks/cancel', { id: taskId }))).toMatchObject({ result: { status: { state: 'canceled' } } })
    expect(await json(await rpc(server, 'tasks/cancel', { id: taskId }))).toMatchObject({
      error: { code: -32002, data: [{ reason: 'TASK_NOT_CANCELABLE' }] },
    })
  })

  test('has no extended card, no list of tasks, and no method of 1.0', async () => {
    const server = await startBoth()
    expect(await json(await rpc(server, 'agent/getAuthenticatedExtendedCard', undefined))).toMatchObject({ error: { code: -32007 } })
    for (const method of ['tasks/list', 'SendMessage', '__proto__', 'constructor']) {
      expect(await json(await rpc(server, method, {}))).toMatchObject({ error: { code: -32601 } })
    }
  })

  test('is 0.3 with the version 0.3, an empty one and none, and 1.0 with 1.0', async () => {
    const server = await startBoth()
    for (const version of ['0.3', '', '0.3.0']) {
      expect(await json(await rpc(server, 'tasks/get', { id: 'x' }, { 'A2A-Version': version }))).toMatchObject({ error: { code: -32001 } })
    }
    expect(await json(await rpc(server, 'tasks/get', { id: 'x' }, { 'A2A-Version': '1.0' }))).toMatchObject({ error: { code: -32601 } })
    expect(await json(await rpc(server, 'tasks/get', { id: 'x' }, { 'A2A-Version': '0.2' }))).toMatchObject({ error: { code: -32009 } })
  })

  test('is served where the card declares it, and nowhere else', async () => {
    const card = testCard()
    const [json10, http10] = card.supportedInterfaces
    if (!json10 || !http10) throw new Error('the test card has two interfaces')
    const old = { ...json10, url: 'http://agent.test/old', protocolVersion: '0.3' }
    const server = await startTestServer({ card: { ...card, supportedInterfaces: [json10, http10, old] } })
    const ask = async (path: string, headers = {}) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tasks/get', params: { id: 'x' } })
      return (
        (await json(await server.fetch(path, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } })))[
          'error'
        ] as { code: number }
      ).code
    }
    expect([await ask('/a2a'), await ask('/old'), await ask('/old', { 'A2A-Version': '1.0' })]).toEqual([-32009, -32001, -32009])
    expect((await server.fetch('/old/v1/tasks/x')).status).toBe(404)
    expect((await server.fetch('/a2a/v1/tasks/x')).status).toBe(404)
  })

  test('names extensions in X-A2A-Extensions, and takes A2A-Extensions too', async () => {
    const uri = 'urn:example:a'
    const card = bothVersions({ capabilities: { streaming: true, pushNotifications: false, extensions: [{ uri, required: true }] } })
    const server = await startBoth({ card })
    for (const header of ['X-A2A-Extensions', 'A2A-Extensions']) {
      const response = await rpc(server, 'tasks/get', { id: 'x' }, { [header]: uri })
      expect([response.headers.get('X-A2A-Extensions'), response.headers.get('A2A-Extensions')]).toEqual([uri, null])
      expect(await json(response)).toMatchObject({ error: { code: -32001 } })
    }
    expect(await json(await rpc(server, 'tasks/get', { id: 'x' }))).toMatchObject({ error: { code: -32008 } })
    expect(await json(await rpc(server, 'tasks/get', { id: 'x' }, { 'X-A2A-Extensions': 'urn:other' }))).toMatchObject({
      error: { code: -32004 },
    })
  })

  test.each([
    ['message.role', { role: 'ROLE_USER' }],
    ['message.parts', { parts: 'x' }],
    ['message.parts', { parts: [] }],
    ['message.parts', { parts: Array(101).fill({}) }],
    ['message.parts[0].kind', { parts: [{ text: 'hi' }] }],
    ['message.parts[0].text', { parts: [{ kind: 'text', text: 1 }] }],
    ['message.parts[0].file', { parts: [{ kind: 'file', file: { bytes: 'AA==', uri: 'x' } }] }],
    ['message.parts[0].file.bytes', { parts: [{ kind: 'file', file: { bytes: '!' } }] }],
    ['message.parts[0].file.uri', { parts: [{ kind: 'file', file: { uri: '' } }] }],
    ['message.parts[0].data', { parts: [{ kind: 'data', data: [1] }] }],
    ['message.extensions', { extensions: 'urn:a' }],
    ['message.metadata', { metadata: [] }],
    ['message.messageId', { messageId: 'x'.repeat(257) }],
    ['configuration.historyLength', {}, { historyLength: 1.5 }],
    ['configuration.historyLength', {}, { historyLength: -1 }],
    ['configuration.blocking', {}, { blocking: 'false' }],
    ['configuration.pushNotificationConfig.url', {}, { pushNotificationConfig: { url: 'nope' } }],
  ])('names %s as 0.3 does where it is wrong', async (field, fields, configuration: object = {}) => {
    const response = await rpc(await startBoth(), 'message/send', { message: { ...message, ...fields }, configuration })
    expect([response.status, await json(response)]).toMatchObject([
      200,
      {
        error: {
          code: -32602,
          data: [{ reason: 'INVALID_PARAMS' }, { fieldViolations: [{ field, description: expect.stringMatching(/[.]$/) }] }],
        },
      },
    ])
  })

  test('leaves nothing behind when its client goes away', async () => {
    const { open, wrapStore } = countFollowers()
    const server = await startBoth({ wrapStore })
    const response = await rpc(server, 'message/stream', { message })
    const reader = readSse(response)
    await reader.next()
    expect(open()).toBe(1)
    await reader.cancel()
    await expect.poll(open).toBe(0)
  })

  test('tells nothing of an error of its own, and logs it', async () => {
    const secret = new Error('secret')
    const server = await startBoth({
      wrapStore: (store) => overrideStore(store, { record: () => Promise.reject(secret) }),
    })
    const response = await rpc(server, 'tasks/get', { id: 'x' })
    expect([response.status, await response.text()]).toEqual([
      500,
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"Internal error"}}',
    ])
    expect(server.logged).toMatchObject([{ err: secret }])
  })
})
