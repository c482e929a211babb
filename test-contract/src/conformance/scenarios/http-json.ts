import { expect } from 'vitest'
import { atOnce, fresh, says, scripted, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'

const HTTP = { on: ['HTTP+JSON'] } as const
const VERSION = { 'A2A-Version': '1.0' }

scenario('an unknown route is told as 404, a wrong verb as 405 with the right ones', ['ERR-12', 'BIND-04'], HTTP, async ({ url }) => {
  const ask = async (method: string, path: string) => {
    const response = await fetch(`${url}/a2a${path}`, { method, headers: VERSION })
    return [response.status, response.headers.get('Allow'), ((await response.json()) as { error: Fields }).error['status']]
  }
  for (const path of ['/nothing', '/tasks/a/b', '/message:sent', '/tasks/a:paint/b', '/v1/tasks']) {
    expect(await ask('GET', path)).toEqual([404, null, 'NOT_FOUND'])
  }
  const wrong: readonly (readonly [method: string, path: string, allow: string])[] = [
    ['GET', '/message:send', 'POST'],
    ['GET', '/message:stream', 'POST'],
    ['POST', '/tasks', 'GET, HEAD'],
    ['DELETE', '/tasks/a', 'GET, HEAD'],
    ['GET', '/tasks/a:cancel', 'POST'],
    ['DELETE', '/tasks/a:subscribe', 'GET, POST'],
    ['PUT', '/tasks/a/pushNotificationConfigs', 'POST, GET, HEAD'],
    ['PUT', '/tasks/a/pushNotificationConfigs/b', 'GET, DELETE, HEAD'],
    ['POST', '/extendedAgentCard', 'GET, HEAD'],
  ]
  for (const [method, path, allow] of wrong) expect([path, await ask(method, path)]).toEqual([path, [405, allow, 'UNIMPLEMENTED']])
})

scenario('ids stand in a path in percent-encoding, verbs and all', ['BIND-04'], HTTP, async ({ url, client, binding }) => {
  const { task } = await client.result<{ task: WireTask }>('SendMessage', scripted([{ ask: 'more?' }]))
  const encoded = [...task.id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  const got = await fetch(`${url}/a2a/tasks/${encoded}`, { headers: VERSION })
  expect(await got.json()).toMatchObject({ id: task.id })
  const canceled = await fetch(`${url}/a2a/tasks/${encoded}%3Acancel`, { method: 'POST', headers: VERSION })
  expect(await canceled.json()).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_CANCELED' } })
  expectError(await client.refusal('GetTask', { id: 'a/b c:cancel?' }), binding, 'TASK_NOT_FOUND')
})

scenario('a subscription is opened by GET and by POST', ['BIND-04', 'SUB-01'], HTTP, async ({ url, client }) => {
  const { task } = await client.result<{ task: WireTask }>('SendMessage', scripted([{ ask: 'more?' }]))
  for (const method of ['GET', 'POST']) {
    const response = await fetch(`${url}/a2a/tasks/${task.id}:subscribe`, { method, headers: VERSION })
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, expect.stringMatching(/^text\/event-stream/)])
    await response.body?.cancel()
  }
})

scenario('an event is the bare payload', ['STREAM-10'], HTTP, async ({ client }) => {
  const events = await (await client.stream('SendStreamingMessage', says('hello'))).rest()
  expect(events.length).toBeGreaterThan(1)
  for (const { data } of events) {
    expect(Object.keys(data)).toHaveLength(1)
    expect(data).not.toHaveProperty('jsonrpc')
  }
})

scenario('an error is told as a Status, whose code is that of HTTP', ['ERR-18', 'ERR-17'], HTTP, async ({ client }) => {
  const { status, text } = await client.call('GetTask', { id: fresh('none') })
  expect([status, JSON.parse(text)]).toEqual([
    404,
    {
      error: {
        code: 404,
        status: 'NOT_FOUND',
        message: expect.any(String),
        details: [expect.objectContaining({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' })],
      },
    },
  ])
})

scenario('the answer is in the type that is asked for, or else in that of the request', ['BIND-05'], HTTP, async ({ client }) => {
  const a2a = 'application/a2a+json'
  const json = 'application/json'
  const rows: readonly (readonly [sent: string, accept: string, answered: string])[] = [
    [a2a, '*/*', a2a],
    [json, '*/*', json],
    [json, a2a, a2a],
    [a2a, json, json],
    [a2a, `${json};q=0.5, ${a2a}`, a2a],
    [a2a, `${json}, ${a2a};q=0.1`, json],
    [json, 'text/html', json],
  ]
  for (const [sent, accept, answered] of rows) {
    const headers = { 'Content-Type': sent, Accept: accept }
    for (const request of [atOnce(says('hello')), {}]) {
      const reply = await client.call('SendMessage', request, { headers })
      expect([sent, accept, reply.headers.get('Content-Type')]).toEqual([sent, accept, answered])
    }
  }
  expect((await client.call('ListTasks', { contextId: fresh('none') })).headers.get('Content-Type')).toBe(a2a)
})

scenario('a query has the names and the values of JSON', ['LIST-12', 'BIND-10'], HTTP, async ({ client, url }) => {
  const contextId = fresh('query')
  const { task } = await client.result<{ task: WireTask }>(
    'SendMessage',
    scripted([{ chunk: 'a', artifact: 'a' }, { complete: 'done' }], { contextId }),
  )
  const query = new URLSearchParams({
    contextId,
    status: 'TASK_STATE_COMPLETED',
    pageSize: '10',
    includeArtifacts: 'true',
    historyLength: '1',
    statusTimestampAfter: task.status.timestamp,
  })
  const list = await (await fetch(`${url}/a2a/tasks?${query}`, { headers: VERSION })).json()
  expect(list).toMatchObject({ totalSize: 1, pageSize: 10, tasks: [{ id: task.id, artifacts: [{}] }] })
  const snake = await fetch(`${url}/a2a/tasks?context_id=${contextId}&page_size=1`, { headers: VERSION })
  expect(snake.status).toBe(200)
})
