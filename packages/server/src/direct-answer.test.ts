import type { StreamResponseJson, TaskJson } from '@moorage/protocol'
import type { TurnOutcome } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { BINDINGS, type Fields } from './testing/bindings.js'
import { answerCommand, openTurn, playTurn, says } from './testing/play.js'
import { readSse } from './testing/read-sse.js'
import { testAgent } from './testing/test-agent.js'
import { startTestServer, type TestServer, type TestServerOptions } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

const start = (options: TestServerOptions = {}) => startTestServer({ agent: { ...testAgent(), reply: 'message-when-direct' }, ...options })

/** As a worker records it: with the task's id. */
function reply(taskId: string): TurnOutcome {
  return { kind: 'reply', message: { ...says('hello back'), taskId, contextId: 'c-1' } }
}

describe.each(BINDINGS)('an agent that may answer with a Message, over $name', (binding) => {
  const send = async (server: TestServer, message: Fields = {}, configuration: Fields = {}): Promise<Fields> =>
    binding.result(await binding.call(server, 'sendMessage', { message: hello({ contextId: 'c-1', ...message }), configuration }))

  const stream = async (server: TestServer) =>
    readSse(await binding.call(server, 'sendStreamingMessage', { message: hello({ contextId: 'c-1' }) }))

  const fieldsOf = (events: readonly { readonly data: string }[]) =>
    events.map(({ data }) => Object.keys(binding.payload(data) as unknown as StreamResponseJson)[0])

  /** A blocking send that is answered by a Message. */
  async function answered(server: TestServer) {
    const answer = send(server)
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, reply(taskId))
    return { taskId, answer: await answer }
  }

  test('answers a blocking send with the Message: in its context, and without a task', async () => {
    const { answer } = await answered(await start())
    expect(answer).toEqual({
      message: { messageId: expect.any(String), role: 'ROLE_AGENT', parts: [{ text: 'hello back' }], contextId: 'c-1' },
    })
  })

  test.each(['before', 'after'])('keeps the task from everybody: %s the answer', async (when) => {
    const server = await start({ blockingTimeoutMs: 0 })
    const answer = send(server)
    const { taskId: id } = await server.woken(1)
    if (when === 'after') await playTurn(server.store, id, reply(id))
    const attempts: readonly (readonly [Parameters<typeof binding.call>[1], Fields])[] = [
      ['getTask', { id }],
      ['cancelTask', { id }],
      ['subscribeToTask', { id }],
      ['sendMessage', { message: hello({ messageId: 'm-2', taskId: id }) }],
      ['sendStreamingMessage', { message: hello({ messageId: 'm-3', taskId: id }) }],
    ]
    for (const [operation, request] of attempts) {
      const error = await binding.error(await binding.call(server, operation, request))
      expect(error.details[0]).toMatchObject({ reason: 'TASK_NOT_FOUND' })
    }
    for (const filter of [{}, { contextId: 'c-1' }]) {
      expect(await binding.result(await binding.call(server, 'listTasks', filter))).toMatchObject({ tasks: [], totalSize: 0 })
    }
    if (when === 'before') await playTurn(server.store, id, reply(id))
    expect(await answer).toHaveProperty('message')
  })

  test('answers the same message again with the same Message, however it is sent, and wakes nobody', async () => {
    const server = await start()
    const { answer } = await answered(server)
    expect(await send(server)).toEqual(answer)
    expect(await send(server, {}, { returnImmediately: true })).toEqual(answer)
    const events = await (await stream(server)).rest()
    expect(events.map(({ data }) => binding.payload(data))).toEqual([answer])
    expect(server.wakes).toHaveLength(1)
  })

  test('answers the same message with the same Message, where both wait', async () => {
    const server = await start()
    const answers = [send(server), server.woken(1).then(() => send(server))]
    const { taskId } = await server.woken(2)
    await playTurn(server.store, taskId, reply(taskId))
    const [first, second] = await Promise.all(answers)
    expect(first).toHaveProperty('message')
    expect(second).toEqual(first)
  })

  test.each<TurnOutcome['kind']>(['complete', 'fail', 'ask', 'require-auth'])(
    'answers with the Task where the turn ends otherwise: %s',
    async (kind) => {
      const server = await start()
      const answer = send(server)
      const { taskId: id } = await server.woken(1)
      await playTurn(server.store, id, { kind, message: says('no Message') })
      expect(await answer).toMatchObject({ task: { id, status: { message: { parts: [{ text: 'no Message' }] } } } })
      expect(await binding.result(await binding.call(server, 'getTask', { id }))).toMatchObject({ id })
    },
  )

  test('answers with the Task when the client does not wait, and completes it', async () => {
    const server = await start()
    const { task } = (await send(server, {}, { returnImmediately: true })) as { readonly task: TaskJson }
    await playTurn(server.store, task.id, reply(task.id))
    expect(await binding.result(await binding.call(server, 'getTask', { id: task.id }))).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'hello back' }] } },
    })
  })

  test('streams the Task, and completes it', async () => {
    const server = await start()
    const reader = await stream(server)
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, reply(taskId))
    expect(fieldsOf(await reader.rest())).toEqual(['task', 'statusUpdate', 'statusUpdate'])
    expect(await binding.result(await binding.call(server, 'listTasks'))).toMatchObject({ totalSize: 1 })
  })

  test('answers the waiting send with the Task too, once the same message was sent in a way that asks for one', async () => {
    const server = await start()
    const answer = send(server)
    const { taskId: id } = await server.woken(1)
    expect(await send(server, {}, { returnImmediately: true })).toMatchObject({ task: { id } })
    await playTurn(server.store, id, reply(id))
    expect(await answer).toMatchObject({ task: { id, status: { state: 'TASK_STATE_COMPLETED' } } })
  })

  test('gives the Task when the wait is over before the answer: it stays the answer', async () => {
    const server = await start({ blockingTimeoutMs: 20 })
    const { task } = (await send(server)) as { readonly task: TaskJson }
    expect(task.status.state).toBe('TASK_STATE_SUBMITTED')
    await playTurn(server.store, task.id, reply(task.id))
    expect(await binding.result(await binding.call(server, 'getTask', { id: task.id }))).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
    })
    expect(await send(server)).toMatchObject({ task: { id: task.id } })
  })

  test('gives the Task when the server stops', async () => {
    const server = await start()
    const answer = send(server)
    const { taskId: id } = await server.woken(1)
    await server.harness.stop()
    expect(await answer).toMatchObject({ task: { id } })
    expect(await server.store.record(id)).not.toHaveProperty('direct')
  })

  test('leaves the answer open where the client has gone, who may come again for its Message', async () => {
    const server = await start()
    const leaving = new AbortController()
    const left = binding.call(server, 'sendMessage', { message: hello({ contextId: 'c-1' }) }, { signal: leaving.signal })
    const { taskId } = await server.woken(1)
    leaving.abort()
    await left
    await playTurn(server.store, taskId, reply(taskId))
    expect(await send(server)).toHaveProperty('message')
  })

  test('answers a command as the first message with the Task', async () => {
    const server = await start()
    const answer = send(server, { parts: [{ text: '/status' }] })
    const { taskId: id } = await server.woken(1)
    expect(await server.store.record(id)).not.toHaveProperty('direct')
    await answerCommand(server.store, id, 'fine')
    expect(await answer).toMatchObject({ task: { id, status: { message: { parts: [{ text: 'fine' }] } } } })
  })

  test('always answers with the Task where the agent has not the option', async () => {
    const server = await startTestServer()
    const answer = send(server)
    const { taskId: id } = await server.woken(1)
    const turn = await openTurn(server.store, id)
    await turn.end(reply(id))
    expect(await answer).toMatchObject({ task: { id, status: { state: 'TASK_STATE_COMPLETED' } } })
  })
})
