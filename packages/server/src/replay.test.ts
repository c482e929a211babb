import { describe, expect, test } from 'vitest'
import { BINDINGS, type Fields } from './testing/bindings.js'
import { chunk, openTurn, type PlayedTurn, playTurn, says } from './testing/play.js'
import { readSse } from './testing/read-sse.js'
import { subscribableCard, WAYS, type Way } from './testing/subscribe-ways.js'
import { startTestServer, type TestServer } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'
import { rpc } from './v0-3/testing/v0-3-server.js'

const JSON_1_0 = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
const start = () => startTestServer({ card: subscribableCard() })

function send(server: TestServer, { tenant }: Way, fields: Fields): Promise<Response> {
  const body = JSON.stringify({ message: hello(fields), configuration: { returnImmediately: true } })
  return server.fetch(`/a2a${tenant}/message:send`, { method: 'POST', body, headers: JSON_1_0 })
}

/** A task whose first turn runs: 1 is the Task, 2 WORKING, 3 and 5 chunks, and 4 tells the server alone of a second message. */
async function runningTask(server: TestServer, way: Way): Promise<{ readonly taskId: string; readonly turn: PlayedTurn }> {
  await send(server, way, {})
  const { taskId } = await server.woken(1)
  const turn = await openTurn(server.store, taskId)
  await turn.write(chunk('a', 'one'))
  await send(server, way, { messageId: 'm-2', taskId })
  await turn.write(chunk('a', 'two'))
  return { taskId, turn }
}

/** The same, where both turns are played: 6 postpones the end of the first, 7 opens the second for the server alone. */
async function twoTurns(server: TestServer, way: Way, kind: 'ask' | 'complete'): Promise<string> {
  const { taskId, turn } = await runningTask(server, way)
  await turn.end({ kind: 'complete', message: says('first') })
  await playTurn(server.store, taskId, { kind, message: says('second') })
  return taskId
}

const cancel = (server: TestServer, taskId: string) => server.store.transact([taskId], (tx) => tx.end(taskId, 'TASK_STATE_CANCELED'))

describe.each(WAYS)('Last-Event-ID over $name', (way) => {
  const open = async (server: TestServer, taskId: string, cursors: readonly string[]) =>
    Promise.all(cursors.map(async (cursor) => readSse(await way.subscribe(server, taskId, { 'Last-Event-ID': cursor }))))
  const ids = async (readers: readonly ReturnType<typeof readSse>[]) =>
    Promise.all(readers.map(async (reader) => (await reader.rest()).map(({ id }) => Number(id))))

  test('replays a running task, then what comes', async () => {
    const server = await start()
    const { taskId } = await runningTask(server, way)
    const readers = await open(server, taskId, ['0', '2', '3', '4', '5'])
    await cancel(server, taskId)
    expect(await ids(readers)).toEqual([[1, 2, 3, 5, 6], [3, 5, 6], [5, 6], [5, 6], [6]])
  })

  test('replays a parked task, then what comes', async () => {
    const server = await start()
    const taskId = await twoTurns(server, way, 'ask')
    const readers = await open(server, taskId, ['0', '5', '6', '7', '8'])
    await cancel(server, taskId)
    expect(await ids(readers)).toEqual([[1, 2, 3, 5, 6, 8, 9], [6, 8, 9], [8, 9], [8, 9], [9]])
  })

  test('replays a task that has ended, and ends', async () => {
    const server = await start()
    const taskId = await twoTurns(server, way, 'complete')
    expect(await ids(await open(server, taskId, ['0', '5', '6', '7', '8']))).toEqual([[1, 2, 3, 5, 6, 8], [6, 8], [8], [8], []])
  })

  test('is a number in the log, or refused by name', async () => {
    const server = await start()
    const { taskId } = await runningTask(server, way)
    for (const cursor of ['-1', '6', '99', 'abc', '1.5', '', '1e3', '0x1', '+1', '1 2', '1, 1', '1n', '9'.repeat(15), '9'.repeat(30)]) {
      const response = await way.subscribe(server, taskId, { 'Last-Event-ID': cursor })
      expect(response.headers.get('Content-Type')).toMatch(/json/)
      expect(await response.text()).toContain('Last-Event-ID')
    }
    const twice = new Headers([
      ['Last-Event-ID', '1'],
      ['Last-Event-ID', '2'],
    ])
    expect(await (await way.subscribe(server, taskId, Object.fromEntries(twice))).text()).toContain('Last-Event-ID')
    const [reader] = await open(server, taskId, [' 5 '])
    await cancel(server, taskId)
    expect((await reader?.rest())?.map(({ id }) => id)).toEqual(['6'])
  })

  test('that is not given begins with the Task as it is', async () => {
    const server = await start()
    const { taskId } = await runningTask(server, way)
    const reader = readSse(await way.subscribe(server, taskId, {}))
    await cancel(server, taskId)
    const events = await reader.rest()
    expect(events.map(({ id }) => id)).toEqual(['5', '6'])
    expect(events[0]?.data).toMatch(/"one".*"two"/)
    const ended = await way.subscribe(server, taskId, {})
    if (way.version === '1.0') expect(await ended.text()).toContain('TASK_STATE_CANCELED')
    else expect((await readSse(ended).rest()).map(({ id }) => id)).toEqual(['6'])
  })
})

test.each(BINDINGS)('Last-Event-ID is ignored by sends over $name', async (binding) => {
  const server = await startTestServer()
  const stream = (messageId: string, id: string) =>
    binding.call(server, 'sendStreamingMessage', { message: hello({ messageId }) }, { headers: { 'Last-Event-ID': id } })
  for (const [index, cursor] of ['3', 'abc', ''].entries()) {
    const reader = readSse(await stream(`m-${index}`, cursor))
    expect((await reader.next())?.id).toBe('1')
    const { taskId } = await server.woken(index + 1)
    await playTurn(server.store, taskId, { kind: 'complete' })
    expect((await reader.rest()).map(({ id }) => id)).toEqual(['2', '3'])
  }
  const configuration = { returnImmediately: true }
  const headers = { 'Last-Event-ID': '3' }
  const sent = await binding.call(server, 'sendMessage', { message: hello({ messageId: 'm-9' }), configuration }, { headers })
  expect(await binding.result(sent)).toMatchObject({ task: { status: { state: 'TASK_STATE_SUBMITTED' } } })
})

test('Last-Event-ID is ignored by message/stream of 0.3', async () => {
  const server = await start()
  const params = { message: { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hi' }] } }
  const reader = readSse(await rpc(server, 'message/stream', params, { 'Last-Event-ID': '3' }))
  expect((await reader.next())?.id).toBe('1')
  await reader.cancel()
})
