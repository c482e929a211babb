import type { StreamResponseJson } from '@moorage/protocol'
import { describe, expect, test } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { chunk, openTurn, playTurn, says } from './testing/play.js'
import { readSse } from './testing/read-sse.js'
import { startTestServer, type TestServer } from './testing/test-server.js'

const hello = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] }

describe.each(BINDINGS)('SubscribeToTask over $name', (binding) => {
  const payload = (data: string | undefined) => binding.payload(data ?? 'null') as unknown as StreamResponseJson
  const subscribe = (server: TestServer, id: string, lastEventId?: string) =>
    binding.call(server, 'subscribeToTask', { id }, lastEventId === undefined ? {} : { headers: { 'Last-Event-ID': lastEventId } })

  async function newTask(server: TestServer): Promise<string> {
    await binding.call(server, 'sendMessage', { message: hello, configuration: { returnImmediately: true } })
    return (await server.woken(1)).taskId
  }

  async function finishedTask(server: TestServer): Promise<string> {
    const taskId = await newTask(server)
    await playTurn(server.store, taskId, { kind: 'complete', message: says('done') }, chunk('a', 'one'))
    return taskId
  }

  test('begins with the task as it is, goes on through a question, and ends with the task', async () => {
    const server = await startTestServer()
    const taskId = await newTask(server)
    await playTurn(server.store, taskId, { kind: 'ask', message: says('which?') }, chunk('a', 'one'))
    const reader = readSse(await subscribe(server, taskId))
    expect(payload((await reader.next())?.data)).toMatchObject({
      task: { id: taskId, status: { state: 'TASK_STATE_INPUT_REQUIRED' }, artifacts: [{ artifactId: 'a' }] },
    })
    const message = { ...hello, messageId: 'm-2', taskId }
    await binding.call(server, 'sendMessage', { message, configuration: { returnImmediately: true } })
    await playTurn(server.store, taskId, { kind: 'ask' })
    await binding.call(server, 'cancelTask', { id: taskId })
    const states = (await reader.rest()).map(({ data }) => {
      const told = payload(data)
      return 'statusUpdate' in told ? told.statusUpdate.status.state : 'chunk'
    })
    expect(states.slice(-2)).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_CANCELED'])
  })

  test('loses and doubles nothing between the task and the updates', async () => {
    const server = await startTestServer()
    const taskId = await newTask(server)
    const turn = await openTurn(server.store, taskId)
    const writing = (async () => {
      for (let i = 0; i < 100; i++) await turn.write(chunk('a', `${i} `))
      await turn.end({ kind: 'complete' })
    })()
    const events = (await readSse(await subscribe(server, taskId)).rest()).map(({ data }) => payload(data))
    await writing
    const texts = events.flatMap((event) => {
      const artifacts = 'task' in event ? (event.task.artifacts ?? []) : 'artifactUpdate' in event ? [event.artifactUpdate.artifact] : []
      return artifacts.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')))
    })
    expect(texts.join('')).toBe(Array.from({ length: 100 }, (_, i) => `${i} `).join(''))
  })

  test('resumes after Last-Event-ID, also on a task that has ended', async () => {
    const server = await startTestServer()
    const taskId = await finishedTask(server)
    const all = await readSse(await subscribe(server, taskId, '0')).rest()
    expect(payload(all[0]?.data)).toMatchObject({ task: { id: taskId, status: { state: 'TASK_STATE_SUBMITTED' } } })
    expect(payload(all.at(-1)?.data)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } })
    for (const [index, event] of all.entries()) {
      expect(await readSse(await subscribe(server, taskId, event.id)).rest()).toEqual(all.slice(index + 1))
    }
  })

  test('resumes a task that goes on with what comes', async () => {
    const server = await startTestServer()
    const taskId = await newTask(server)
    const seq = (await server.store.record(taskId))?.seq
    const reader = readSse(await subscribe(server, taskId, String(seq)))
    await playTurn(server.store, taskId, { kind: 'complete' }, chunk('a', 'one'))
    expect((await reader.rest()).map(({ data }) => Object.keys(payload(data))[0])).toEqual([
      'statusUpdate',
      'artifactUpdate',
      'statusUpdate',
    ])
  })

  test.each(['-1', '1.5', 'x', '', '99', '1e3'])('refuses %j as Last-Event-ID', async (lastEventId) => {
    const server = await startTestServer()
    const error = await binding.error(await subscribe(server, await newTask(server), lastEventId))
    expect(error.details).toContainEqual(
      expect.objectContaining({ fieldViolations: [expect.objectContaining({ field: 'Last-Event-ID' })] }),
    )
  })

  test('refuses what can be no Last-Event-ID before it looks for the task, as any other parameter', async () => {
    const error = await binding.error(await subscribe(await startTestServer(), 'nope', 'x'))
    expect(error.details).toContainEqual(
      expect.objectContaining({ fieldViolations: [expect.objectContaining({ field: 'Last-Event-ID' })] }),
    )
  })

  test('refuses a task that has ended, as plain JSON', async () => {
    const server = await startTestServer()
    const response = await subscribe(server, await finishedTask(server))
    expect(response.headers.get('Content-Type')).toMatch(/json/)
    expect(await binding.error(response)).toMatchObject({
      message: expect.stringContaining('TASK_STATE_COMPLETED'),
      details: [{ reason: 'UNSUPPORTED_OPERATION' }],
    })
  })
})
