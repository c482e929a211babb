import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BINDINGS } from './testing/bindings.js'
import { testAgent, testCard } from './testing/test-agent.js'
import { startTestServer } from './testing/test-server.js'
import { hello, newTask } from './testing/test-tasks.js'

const EXTENSION = { uri: 'urn:example:needed', required: true }
const EXTENDED = { card: testCard({ capabilities: { streaming: true, pushNotifications: false, extensions: [EXTENSION] } }) }

describe.each(BINDINGS)('$name', (binding) => {
  test('tells nobody whether a task of others exists', async () => {
    const server = await startTestServer()
    const taskId = await newTask(server)
    const other = {
      id: 'of-bob',
      agent: 'tester',
      tenant: '',
      contextId: 'c',
      participants: [{ participant: 'bob', role: 'admin' }],
    } as const
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const
    const sender = { tenant: '', subject: 'bob', participant: 'bob', claims: {} }
    await server.store.transact(['of-bob'], (tx) => tx.create(other, { key: 'k', digest: 'd', message, sender }))
    for (const operation of ['getTask', 'cancelTask', 'subscribeToTask'] as const) {
      const theirs = await (await binding.call(server, operation, { id: 'of-bob' })).text()
      const none = await (await binding.call(server, operation, { id: 'no-such' })).text()
      expect(theirs.replaceAll('of-bob', 'no-such')).toBe(none)
    }
    const { tasks, totalSize } = await binding.result(await binding.call(server, 'listTasks'))
    expect([tasks, totalSize]).toMatchObject([[{ id: taskId }], 1])
  })

  test('leaves nothing in a cache, neither a task nor the list nor an error', async () => {
    const server = await startTestServer()
    const id = await newTask(server)
    const answers = [
      await binding.call(server, 'getTask', { id }),
      await binding.call(server, 'listTasks'),
      await binding.call(server, 'getTask', { id: 'nope' }),
    ]
    expect(answers.map(({ headers }) => headers.get('Cache-Control'))).toEqual(Array(3).fill('no-store'))
  })

  test('takes a command whatever the agent takes', async () => {
    const server = await startTestServer({
      agent: testAgent(z.object({ n: z.number() })),
      card: testCard({ defaultInputModes: ['application/json'] }),
    })
    const request = { message: hello({ parts: [{ text: '/status' }] }), configuration: { returnImmediately: true } }
    expect(await binding.result(await binding.call(server, 'sendMessage', request))).toHaveProperty('task.id')
  })

  test('answers a declared extension with its name, also in a stream and in an error', async () => {
    const server = await startTestServer(EXTENDED)
    const headers = { 'A2A-Extensions': ` ${EXTENSION.uri} , ${EXTENSION.uri}` }
    const responses = [
      await binding.call(server, 'listTasks', {}, { headers }),
      await binding.call(server, 'getTask', { id: 'nope' }, { headers }),
      await binding.call(server, 'sendStreamingMessage', { message: hello() }, { headers }),
    ]
    expect(responses.map((response) => response.headers.get('A2A-Extensions'))).toEqual([EXTENSION.uri, EXTENSION.uri, EXTENSION.uri])
    await responses[2]?.body?.cancel()
  })
})
