import { describe, expect, test } from 'vitest'
import { chunk, playTurn, says } from '../testing/play.js'
import { readSse } from '../testing/read-sse.js'
import type { TestServer } from '../testing/test-server.js'
import { endedTask } from '../testing/test-tasks.js'
import { bothVersions, http, json, startBoth } from './testing/v0-3-server.js'

const message = { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hello' }] }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const id = expect.stringMatching(/^[0-9a-f-]{36}$/)

const sendAtOnce = async (server: TestServer) =>
  (await json(await http(server, 'POST', 'message:send', { message, configuration: {} })))['task'] as { id: string }

describe('A2A 0.3 in HTTP+JSON', () => {
  test('answers message:send with the wrapped task in the ProtoJSON of 0.3', async () => {
    const response = await http(await startBoth(), 'POST', 'message:send', { message, configuration: { blocking: false } })
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/json'])
    expect(await json(response)).toEqual({
      task: {
        id,
        contextId: id,
        status: { state: 'TASK_STATE_SUBMITTED', timestamp: time },
        artifacts: [],
        history: [{ ...message, taskId: id, contextId: id }],
      },
    })
  })

  test('takes the names of the proto, as some clients write them', async () => {
    const request = { message_id: 'm-1', role: 1, content: [{ file: { file_with_uri: 'https://x.test/a', mime_type: 'image/png' } }] }
    const server = await startBoth()
    expect(await json(await http(server, 'POST', 'message:send', { request, configuration: { accepted_output_modes: [] } }))).toMatchObject(
      {
        task: { history: [{ messageId: 'm-1', content: [{ file: { fileWithUri: 'https://x.test/a', mimeType: 'image/png' } }] }] },
      },
    )
  })

  test.each([
    [undefined, true],
    [{}, false],
    [{ blocking: false }, false],
    [{ blocking: true, historyLength: 0 }, true],
  ])('with the configuration %j waits: %s', async (configuration, waits) => {
    const server = await startBoth()
    const sent = http(server, 'POST', 'message:send', { message, ...(configuration && { configuration }) })
    const { taskId } = await server.woken(1)
    if (waits) await playTurn(server.store, taskId, { kind: 'complete', message: says('done') })
    const { task } = (await json(await sent)) as { task: { status: { state: string }; history: readonly object[] } }
    expect([task.status.state, task.history.length]).toEqual([waits ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_SUBMITTED', 1])
  })

  test('streams StreamResponses of 0.3, each under its seq', async () => {
    const server = await startBoth()
    const response = await http(server, 'POST', 'message:stream', { message })
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'complete', message: says('done') }, chunk('a', 'one'))
    const events = await readSse(response).rest()
    expect(events.map((event) => JSON.parse(event.data))).toMatchObject([
      { task: { id: taskId, status: { state: 'TASK_STATE_SUBMITTED' } } },
      { statusUpdate: { taskId, status: { state: 'TASK_STATE_WORKING' }, final: false } },
      { artifactUpdate: { taskId, artifact: { artifactId: 'a', parts: [{ text: 'one' }] } } },
      { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED', message: { content: [{ text: 'done' }] } }, final: true } },
    ])
    expect(events.map((event) => Number(event.id))).toEqual([1, 2, 3, 4])
  })

  test('marks the question that ends the stream of a message as final, and not for who subscribes', async () => {
    const server = await startBoth()
    const response = await http(server, 'POST', 'message:stream', { message })
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'ask', message: says('which?') })
    const events = (await readSse(response).rest()).map((event) => JSON.parse(event.data))
    expect(events.slice(1)).toMatchObject([{ statusUpdate: { final: false } }, { statusUpdate: { final: true } }])
    const again = readSse(await http(server, 'GET', `tasks/${taskId}:subscribe`, undefined, { 'Last-Event-ID': '2' }))
    expect(JSON.parse((await again.next())?.data ?? '')).toMatchObject({ statusUpdate: { final: false } })
    await again.cancel()
  })

  test('names the media type of a file as 0.3 does where it is not accepted', async () => {
    const content = [{ file: { fileWithBytes: 'AA==', mimeType: 'application/x-nope' } }]
    const error = await json(await http(await startBoth(), 'POST', 'message:send', { message: { ...message, content } }))
    const field = 'message.content[0].file.mimeType'
    expect(error).toMatchObject({
      code: -32005,
      message: expect.stringContaining(`${field} is not accepted`),
      data: [{ metadata: { field } }],
    })
  })

  test.each(['GET', 'POST'])('subscribes by %s, after Last-Event-ID and to what has ended', async (verb) => {
    const server = await startBoth()
    const taskId = await endedTask(server, 'complete')
    const body = verb === 'POST' ? { name: `tasks/${taskId}` } : undefined
    const rest = await readSse(await http(server, verb, `tasks/${taskId}:subscribe`, body, { 'Last-Event-ID': '2' })).rest()
    expect(rest.map((event) => JSON.parse(event.data))).toMatchObject([{ statusUpdate: { final: true } }])
    const once = await readSse(await http(server, verb, `tasks/${taskId}:subscribe`, body)).rest()
    expect(once.map((event) => JSON.parse(event.data))).toMatchObject([{ task: { status: { state: 'TASK_STATE_COMPLETED' } } }])
  })

  test('gets a task, and cancels it with the spelling of 0.3', async () => {
    const server = await startBoth()
    const { id: taskId } = await sendAtOnce(server)
    const task = { id: taskId, contextId: id, status: { state: 'TASK_STATE_SUBMITTED', timestamp: time }, artifacts: [] }
    expect(await json(await http(server, 'GET', `tasks/${taskId}?historyLength=0`))).toEqual(task)
    expect(await json(await http(server, 'POST', `tasks/${taskId}:cancel`, null))).toMatchObject({
      status: { state: 'TASK_STATE_CANCELLED' },
    })
  })

  test('tells an error without an envelope, with the status of HTTP', async () => {
    const server = await startBoth()
    const told = async (response: Promise<Response>) => [(await response).status, await json(await response)]
    expect(await told(http(server, 'GET', 'tasks/nope'))).toEqual([
      404,
      {
        code: -32001,
        message: expect.any(String),
        data: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TASK_NOT_FOUND',
            domain: 'a2a-protocol.org',
            metadata: { taskId: 'nope' },
          },
        ],
      },
    ])
    expect(await told(http(server, 'GET', 'card'))).toMatchObject([400, { code: -32007 }])
    expect(await told(http(server, 'GET', 'tasks'))).toMatchObject([404, { code: -32601 }])
    expect(await told(http(server, 'GET', 'nope'))).toMatchObject([404, { code: -32601 }])
    expect(await told(http(server, 'PUT', 'tasks/nope'))).toMatchObject([405, { code: -32601 }])
    expect(await told(http(server, 'GET', 'tasks/nope', undefined, { 'A2A-Version': '1.0' }))).toMatchObject([400, { code: -32009 }])
  })

  test.each([
    ['message.role', { role: 'user' }],
    ['message.content', { content: undefined, parts: [{ kind: 'text', text: 'hi' }] }],
    ['message.content[0]', { content: [{ kind: 'text' }] }],
    ['message.content[0]', { content: [{ text: 'hi', file: { fileWithUri: 'https://x.test' } }] }],
    ['message.content[0].file', { content: [{ file: 'x' }] }],
    ['message.content[0].file.fileWithBytes', { content: [{ file: { fileWithBytes: '!' } }] }],
    ['message.content[0].data.data', { content: [{ data: { data: [1] } }] }],
    ['message.extensions', { extensions: 'urn:a' }],
    ['configuration', {}, 'x'],
    ['configuration.blocking', {}, { blocking: 'false' }],
    ['configuration.pushNotification.url', {}, { pushNotification: { url: 'nope' } }],
  ])('names %s as 0.3 does where it is wrong', async (field, fields, configuration: unknown = {}) => {
    const response = await http(await startBoth(), 'POST', 'message:send', { message: { ...message, ...fields }, configuration })
    expect([response.status, await json(response)]).toMatchObject([
      400,
      { code: -32602, data: [{ reason: 'INVALID_PARAMS' }, { fieldViolations: [{ field, description: expect.stringMatching(/[.]$/) }] }] },
    ])
  })

  test('tells the limits in its form', async () => {
    const server = await startBoth({ limits: { ratePerMinute: 0, maxRequestBytes: 10 } })
    const response = await http(server, 'POST', 'message:send', { message })
    expect([response.status, await json(response)]).toEqual([413, { code: -32600, message: expect.stringContaining('10 bytes') }])
  })

  test('leaves the routes of 1.0 to 1.0', async () => {
    const server = await startBoth()
    expect((await server.fetch('/a2a/tasks/nope', { headers: { 'A2A-Version': '0.3' } })).status).toBe(400)
    expect(await json(await server.fetch('/a2a/tasks/nope', { headers: { 'A2A-Version': '1.0' } }))).toMatchObject({
      error: { code: 404 },
    })
  })

  test('names extensions in X-A2A-Extensions', async () => {
    const uri = 'urn:example:a'
    const card = bothVersions({ capabilities: { streaming: true, pushNotifications: false, extensions: [{ uri, required: true }] } })
    const server = await startBoth({ card })
    const response = await http(server, 'GET', 'tasks/x', undefined, { 'X-A2A-Extensions': uri })
    expect([response.status, response.headers.get('X-A2A-Extensions')]).toEqual([404, uri])
    expect((await http(server, 'GET', 'tasks/x')).status).toBe(400)
  })
})
