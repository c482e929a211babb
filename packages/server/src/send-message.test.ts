import type { MessageJson, TaskJson } from '@moorage/protocol'
import type { TurnOutcome } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { BINDINGS, type Fields } from './testing/bindings.js'
import { answerCommand, chunk, openTurn, playTurn, says } from './testing/play.js'
import { overrideStore, startTestServer, type TestServer } from './testing/test-server.js'

const hello = (fields: Partial<MessageJson> = {}): MessageJson => ({
  messageId: 'm-1',
  role: 'ROLE_USER',
  parts: [{ text: 'hello' }],
  ...fields,
})

/** The task that was woken, as soon as it was. */
async function wokenTask(server: TestServer, number = 1): Promise<string> {
  return (await server.woken(number)).taskId
}

describe.each(BINDINGS)('SendMessage over $name', (binding) => {
  async function send(server: TestServer, message: MessageJson, configuration: Fields = {}): Promise<TaskJson> {
    const response = await binding.call(server, 'sendMessage', { message, configuration })
    return (await binding.result(response))['task'] as TaskJson
  }

  test('answers at once with the new task when it is to return immediately, and has woken it', async () => {
    const server = await startTestServer()
    const task = await send(server, hello({ contextId: 'c-1' }), { returnImmediately: true })
    expect(task).toMatchObject({ contextId: 'c-1', status: { state: 'TASK_STATE_SUBMITTED' }, history: [{ messageId: 'm-1' }] })
    expect(server.wakes).toEqual([{ agent: 'tester', taskId: task.id, unhandled: [{ position: 1, kind: 'message' }] }])
    expect(await server.store.get(task.id)).toMatchObject({ task: { id: task.id } })
  })

  test.each<[TurnOutcome['kind'], string]>([
    ['complete', 'TASK_STATE_COMPLETED'],
    ['fail', 'TASK_STATE_FAILED'],
    ['reject', 'TASK_STATE_REJECTED'],
    ['ask', 'TASK_STATE_INPUT_REQUIRED'],
  ])('waits for the end of its message: %s', async (kind, state) => {
    const server = await startTestServer()
    const answer = send(server, hello())
    const taskId = await wokenTask(server)
    await playTurn(server.store, taskId, { kind, message: says('the end') }, chunk('a', 'one'), chunk('a', 'two'), chunk('b', 'three'))
    expect(await answer).toMatchObject({
      id: taskId,
      status: { state, message: { parts: [{ text: 'the end' }] } },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'one' }, { text: 'two' }] }, { artifactId: 'b' }],
    })
  })

  test('waits for a cancel too', async () => {
    const server = await startTestServer()
    const answer = send(server, hello())
    await binding.call(server, 'cancelTask', { id: await wokenTask(server) })
    expect((await answer).status.state).toBe('TASK_STATE_CANCELED')
  })

  test('does not take the end of an older message for its own', async () => {
    const server = await startTestServer()
    const first = send(server, hello())
    const taskId = await wokenTask(server)
    await playTurn(server.store, taskId, { kind: 'ask', message: says('which?') })
    expect((await first).status.state).toBe('TASK_STATE_INPUT_REQUIRED')
    const second = send(server, hello({ messageId: 'm-2', taskId }))
    await wokenTask(server, 2)
    await playTurn(server.store, taskId, { kind: 'complete', message: says('that one') })
    expect((await second).status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'that one' }] } })
  })

  test('answers with the status that ended the wait, though the next message has come since', async () => {
    const next = { afterEnd: async () => {} }
    const server = await startTestServer({
      wrapStore: (store) =>
        overrideStore(store, {
          async get(id) {
            await next.afterEnd()
            return store.get(id)
          },
        }),
    })
    const answer = send(server, hello())
    const taskId = await wokenTask(server)
    next.afterEnd = async () => {
      next.afterEnd = async () => {}
      await send(server, hello({ messageId: 'm-2', taskId }), { returnImmediately: true })
    }
    await playTurn(server.store, taskId, { kind: 'ask', message: says('which?') })
    const { status, history } = await answer
    expect(status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'which?' }] } })
    expect(history?.map(({ messageId }) => messageId)).toEqual(['m-1', 'm-2'])
  })

  test('answers with the task as it is when the blocking timeout is over', async () => {
    const server = await startTestServer({ blockingTimeoutMs: 20 })
    expect((await send(server, hello())).status.state).toBe('TASK_STATE_SUBMITTED')
  })

  test('answers with the task as it is when the server stops', async () => {
    const server = await startTestServer()
    const answer = send(server, hello())
    await wokenTask(server)
    await server.harness.stop()
    expect((await answer).status.state).toBe('TASK_STATE_SUBMITTED')
  })

  test("a command's answer is its reply, while a turn runs on", async () => {
    const server = await startTestServer()
    const { id } = await send(server, hello(), { returnImmediately: true })
    const turn = await openTurn(server.store, id)
    const answer = send(server, hello({ messageId: 'm-2', taskId: id, parts: [{ text: '/status' }] }))
    await wokenTask(server, 2)
    await answerCommand(server.store, id, 'fine')
    expect((await answer).status).toMatchObject({ state: 'TASK_STATE_WORKING', message: { parts: [{ text: 'fine' }] } })
    await turn.end({ kind: 'complete' })
    expect(server.wakes[1]?.unhandled).toEqual([{ position: 2, kind: 'command' }])
  })

  test('the same message again gets the same task and the same kind of answer, also when the task has ended', async () => {
    const server = await startTestServer()
    const first = send(server, hello())
    const taskId = await wokenTask(server)
    const again = send(server, hello())
    await wokenTask(server, 2)
    await playTurn(server.store, taskId, { kind: 'complete', message: says('done') })
    const task = await first
    expect(await again).toEqual(task)
    expect(await send(server, hello())).toEqual(task)
    const wakes = server.wakes.length
    await send(server, hello())
    // What has been dealt with wakes nobody.
    expect(server.wakes).toHaveLength(wakes)
  })

  test.each<[number | undefined, readonly string[] | undefined]>([
    [undefined, ['m-1', 'm-2']],
    [0, undefined],
    [1, ['m-2']],
    [2, ['m-1', 'm-2']],
    [50, ['m-1', 'm-2']],
  ])('with historyLength %s the task has the history %j', async (historyLength, ids) => {
    const server = await startTestServer()
    const { id } = await send(server, hello(), { returnImmediately: true })
    const configuration = { returnImmediately: true, ...(historyLength !== undefined && { historyLength }) }
    const task = await send(server, hello({ messageId: 'm-2', taskId: id }), configuration)
    expect(task.history?.map(({ messageId }) => messageId)).toEqual(ids)
    const got = await binding.result(await binding.call(server, 'getTask', { id, ...(historyLength !== undefined && { historyLength }) }))
    expect(got).toEqual(task)
  })
})
