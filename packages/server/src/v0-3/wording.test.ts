import { describe, expect, test } from 'vitest'
import { endedTask } from '../testing/test-tasks.js'
import { bothVersions, http, json, rpc, startBoth } from './testing/v0-3-server.js'

const message = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hello' }] }
const sent = { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hello' }] }

describe('what A2A 0.3 is told of an error', () => {
  test.each([
    ['JSON-RPC', 'user'],
    ['HTTP+JSON', 'ROLE_USER'],
  ])('names the role as %s does', async (binding, role) => {
    const server = await startBoth()
    const response =
      binding === 'JSON-RPC'
        ? await rpc(server, 'message/send', { message: { ...message, role: 'agent' } })
        : await http(server, 'POST', 'message:send', { message: { ...sent, role: 'ROLE_AGENT' } })
    const { data } = (binding === 'JSON-RPC' ? (await json(response))['error'] : await json(response)) as { data: unknown }
    const description = `Send ${role}: a client speaks for its user.`
    expect(data).toMatchObject([{}, { fieldViolations: [{ field: 'message.role', description }] }])
  })

  test.each([
    ['complete', 'completed', 'TASK_STATE_COMPLETED'],
    ['reject', 'rejected', 'TASK_STATE_REJECTED'],
  ] as const)('names the state of a task that has ended by %s as its binding does', async (kind, inJsonRpc, inHttpJson) => {
    const server = await startBoth()
    const taskId = await endedTask(server, kind)
    const told = (state: string) => ({ message: expect.stringContaining(`(${state})`), data: [{ metadata: { taskId, state } }] })
    const errorOf = async (response: Promise<Response>) => (await json(await response))['error']
    expect(await errorOf(rpc(server, 'tasks/cancel', { id: taskId }))).toMatchObject(told(inJsonRpc))
    const late = { message: { ...message, messageId: 'm-2', taskId } }
    expect(await errorOf(rpc(server, 'message/send', late))).toMatchObject(told(inJsonRpc))
    expect(await errorOf(rpc(server, 'message/stream', late))).toMatchObject(told(inJsonRpc))
    expect(await json(await http(server, 'POST', `tasks/${taskId}:cancel`))).toMatchObject(told(inHttpJson))
  })

  test('names a canceled task as its binding spells it', async () => {
    const server = await startBoth()
    const { result } = (await json(await rpc(server, 'message/send', { message, configuration: { blocking: false } }))) as {
      result: { id: string }
    }
    await rpc(server, 'tasks/cancel', { id: result.id })
    const metadata = (state: string) => ({ data: [{ metadata: { state } }] })
    expect((await json(await rpc(server, 'tasks/cancel', { id: result.id })))['error']).toMatchObject(metadata('canceled'))
    expect(await json(await http(server, 'POST', `tasks/${result.id}:cancel`))).toMatchObject(metadata('TASK_STATE_CANCELLED'))
  })

  test('names the header in which the extensions came, and that of 0.3 where none did', async () => {
    const extensions = [{ uri: 'urn:example:a', required: true }]
    const server = await startBoth({ card: bothVersions({ capabilities: { streaming: true, pushNotifications: false, extensions } }) })
    const messages = async (headers: Readonly<Record<string, string>>) => {
      const { error } = (await json(await rpc(server, 'tasks/get', { id: 'x' }, headers))) as { error: { message: string } }
      const { message: other } = (await json(await http(server, 'GET', 'tasks/x', undefined, headers))) as { message: string }
      return [error.message, other]
    }
    const unknown = (header: string) => `${header} names an extension that the agent card does not declare: "urn:other"`
    for (const header of ['X-A2A-Extensions', 'A2A-Extensions']) {
      expect(await messages({ [header]: 'urn:other' })).toEqual([unknown(header), unknown(header)])
    }
    const missing = 'X-A2A-Extensions must name urn:example:a'
    expect(await messages({})).toEqual([missing, missing])
  })
})
