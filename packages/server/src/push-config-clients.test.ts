import { AgentCard, TaskPushNotificationConfig } from '@a2a-js/sdk'
import { type Client, ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client'
import { describe, expect, test } from 'vitest'
import { PUSHING } from './testing/push.js'
import { startTestServer, type TestServer } from './testing/test-server.js'
import { newTask } from './testing/test-tasks.js'

const url = 'https://example.com/hook'

/** The SDK's own client, over one binding. */
async function connect({ fetch }: TestServer, binding: 'JSONRPC' | 'HTTP+JSON'): Promise<Client> {
  const fetchImpl: typeof globalThis.fetch = (input, init) => fetch(String(input).replace('http://agent.test', ''), init)
  const transports = [binding === 'JSONRPC' ? new JsonRpcTransportFactory({ fetchImpl }) : new RestTransportFactory({ fetchImpl })]
  const supportedInterfaces = PUSHING.card?.supportedInterfaces.filter((entry) => entry.protocolBinding === binding && !entry.tenant)
  return new ClientFactory({ transports }).createFromAgentCard(AgentCard.fromJSON({ ...PUSHING.card, supportedInterfaces }))
}

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('the client of the SDK, over %s', (binding) => {
  test('does its whole round of push notification configs', async () => {
    const server = await startTestServer(PUSHING)
    const client = await connect(server, binding)
    const taskId = await newTask(server)
    const of = { tenant: '', taskId }
    const authentication = { scheme: 'Bearer', credentials: 'my-credentials' }
    const config = TaskPushNotificationConfig.fromJSON({ taskId, id: 'c1', url, token: 'my-token', authentication })
    const shown = { ...config, token: '', authentication: { scheme: 'Bearer', credentials: '' } }
    expect(await client.createTaskPushNotificationConfig(config)).toEqual(shown)
    const { id } = await client.createTaskPushNotificationConfig(TaskPushNotificationConfig.fromJSON({ taskId, url }))
    expect(await client.getTaskPushNotificationConfig({ ...of, id: 'c1' })).toEqual(shown)
    const { configs } = await client.listTaskPushNotificationConfig({ ...of, pageSize: 0, pageToken: '' })
    expect(configs.map((listed) => listed.id)).toEqual(['c1', id])
    for (const _ of ['first', 'again']) await client.deleteTaskPushNotificationConfig({ ...of, id: 'c1' })
    await expect(client.getTaskPushNotificationConfig({ ...of, id: 'c1' })).rejects.toMatchObject({ name: 'TaskNotFoundError' })
  })
})
