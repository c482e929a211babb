import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { chunk, openTurn } from '../testing/play.js'
import { readSse } from '../testing/read-sse.js'
import { startTestServer } from '../testing/test-server.js'
import { newTask } from '../testing/test-tasks.js'
import { serve } from './serve.js'

const CHUNK = 'x'.repeat(256 * 1024)
const CHUNKS = 120
const MIB = 1024 * 1024

test('a client that reads nothing of its stream loses its connection, and no other client waits for it', { timeout: 60_000 }, async () => {
  const server = await startTestServer({ keepAliveMs: 50 })
  const taskId = await newTask(server)
  const responses: ServerResponse[] = []
  const fetchOf = (request: Request, env?: object) => {
    responses.push((env as { readonly outgoing: ServerResponse }).outgoing)
    return server.harness.fetch(request, env)
  }
  const serving = await serve({ ...server.harness, fetch: fetchOf }, { port: 0 })
  onTestFinished(() => serving.close())

  const path = `/a2a/tasks/${taskId}:subscribe`
  const socket = connect(serving.port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(`GET ${path} HTTP/1.1\r\nHost: agent.test\r\nA2A-Version: 1.0\r\n\r\n`)
  await once(socket, 'readable')
  const [stalled] = responses
  if (stalled === undefined) throw new Error('the request has not come')
  const ended = once(stalled, 'close')

  const other = readSse(await fetch(`${serving.url}${path}`, { headers: { 'A2A-Version': '1.0' } }))
  await other.next()
  const turn = await openTurn(server.store, taskId)
  for (let i = 0; i < CHUNKS; i++) {
    await turn.write(chunk('a', CHUNK))
    await other.next()
  }
  await turn.end({ kind: 'complete' })
  expect((await other.rest()).at(-1)?.data).toContain('TASK_STATE_COMPLETED')
  await ended
  expect(stalled.writableFinished).toBe(false)
})

test('entries that are larger than what is kept for a client reach one that reads, whole and all', { timeout: 120_000 }, async () => {
  const server = await startTestServer()
  const taskId = await newTask(server)
  const serving = await serve(server.harness, { port: 0 })
  onTestFinished(() => serving.close())
  const reader = readSse(await fetch(`${serving.url}/a2a/tasks/${taskId}:subscribe`, { headers: { 'A2A-Version': '1.0' } }))
  await reader.next()
  const reading = reader.rest()
  const turn = await openTurn(server.store, taskId)
  await turn.write(chunk('a', 'x'.repeat(20 * MIB)), ...Array.from({ length: 3 }, () => chunk('a', 'x'.repeat(5 * MIB))))
  await turn.end({ kind: 'complete' })
  const sizes = (await reading).map(({ data }) => Math.floor(data.length / MIB))
  expect(sizes).toEqual([0, 20, 5, 5, 5, 0])
})
