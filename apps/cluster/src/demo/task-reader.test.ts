import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { StreamResponseJson } from '@moorage/protocol'
import { expect, it, onTestFinished } from 'vitest'
import type { Binding } from './open-stream.js'
import { TaskReader } from './task-reader.js'

const task = { id: 't', contextId: 'c' }
const update = { taskId: 't', contextId: 'c' }
const status = (state: 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED') => ({ state, timestamp: '2026-01-01T00:00:00.000Z' })
const chunk = (line: string, append: boolean, metadata?: { discarded: true }): StreamResponseJson => ({
  artifactUpdate: { ...update, append, artifact: { artifactId: 'count', parts: [{ text: line, ...(metadata && { metadata }) }] } },
})

/** The log of a task whose turn was lost after two numbers, and ran again. */
const LOG: readonly StreamResponseJson[] = [
  { task: { ...task, status: status('TASK_STATE_WORKING') } },
  chunk('1\n', true),
  chunk('2\n', true),
  chunk('', false, { discarded: true }),
  chunk('1\n', false),
  chunk('2\n', true),
  chunk('3\n', true),
  { statusUpdate: { ...update, status: status('TASK_STATE_COMPLETED') } },
]

/** What the server answers, one request after the other: its log up to an event, where the connection breaks, or a refusal. */
type Answer = { readonly upTo: number } | { readonly refuse: number } | { readonly lose: true }

async function server(binding: Binding, answers: readonly Answer[]) {
  const requests: { readonly url: string | undefined; readonly after: string | undefined; readonly body: string }[] = []
  const answerOne = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = answers[requests.length] ?? { refuse: 503 }
    const after = request.headers['last-event-id'] as string | undefined
    requests.push({ url: request.url, after, body: await text(request) })
    if ('lose' in answer) return void request.socket.destroy()
    if ('refuse' in answer) return void response.writeHead(answer.refuse).end('no')
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(': a comment\n\n')
    for (let id = Number(after ?? 0) + 1; id <= answer.upTo; id++) {
      const payload = binding === 'JSON-RPC' ? { jsonrpc: '2.0', id: 1, result: LOG[id - 1] } : LOG[id - 1]
      response.write(`id: ${id}\ndata: ${JSON.stringify(payload)}\n\n`)
    }
    if (answer.upTo === LOG.length) response.end()
    else response.write('id: 9', () => request.socket.destroy())
  }
  const http = createServer((request, response) => void answerOne(request, response))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => void http.close())
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, requests }
}

it.each(['JSON-RPC', 'HTTP+JSON'] as const)('reads a task to its end over lost connections and refusals, over %s', async (binding) => {
  const { url, requests } = await server(binding, [{ lose: true }, { upTo: 3 }, { refuse: 503 }, { upTo: 6 }, { upTo: 8 }])
  const news: string[] = []
  const reader = new TaskReader({ url, binding, begin: { text: 'count to 3', messageId: 'm' }, onNews: (line) => news.push(line) })
  await reader.run(new AbortController().signal)
  expect(reader.events.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(reader.folded).toEqual({ taskId: 't', state: 'TASK_STATE_COMPLETED', isOver: true, text: '1\n2\n3\n' })
  expect(requests.map(({ after }) => after)).toEqual([undefined, undefined, '3', '3', '6'])
  // Unanswered, the message was sent again unchanged.
  expect(requests[1]?.body).toBe(requests[0]?.body)
  expect(reader.cuts).toBe(3)
  expect(news.map((line) => line.replace(/ \(.*\)|, \d\.\d s later/, ''))).toEqual([
    'is cut off after event 0, at number 0',
    'goes on after event 0',
    'is cut off after event 3, at number 2',
    'goes on after event 3',
    'hears that the turn is run again; 1 to 2 are taken back',
    'is cut off after event 6, at number 2',
    'goes on after event 6',
    'has the end: TASK_STATE_COMPLETED, event 8',
  ])
})

it('wakes who waits for it', async () => {
  const { url } = await server('HTTP+JSON', [{ upTo: 8 }])
  const reader = new TaskReader({ url, binding: 'HTTP+JSON', begin: { taskId: 't', lastEventId: 0 }, onNews: () => undefined })
  const { signal } = new AbortController()
  const running = reader.run(signal)
  await reader.until(() => reader.position === 3, signal)
  await reader.until(() => false, signal)
  await running
})

it('gives up where it is refused for good', async () => {
  const { url } = await server('HTTP+JSON', [{ upTo: 3 }, { refuse: 503 }, { refuse: 500 }])
  const reader = new TaskReader({ url, binding: 'HTTP+JSON', begin: { taskId: 't', lastEventId: 0 }, onNews: () => undefined })
  await expect(reader.run(new AbortController().signal)).rejects.toThrow('HTTP 500: no')
})
