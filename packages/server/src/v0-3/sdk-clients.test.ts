import { AgentCard, Role, SendMessageRequest, type StreamResponse, TaskPushNotificationConfig, TaskState } from '@a2a-js/sdk'
import { type Client, ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client'
import { isLegacyAgentCard, parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client'
import { ExtendedAgentCardNotConfiguredError, TaskNotCancelableError, TaskNotFoundError } from '@a2a-js/sdk/errors'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Serving, serve } from '../node/serve.js'
import { chunk, openTurn, playTurn, says } from '../testing/play.js'
import { PUSH_KEYS } from '../testing/push.js'
import type { TestServer } from '../testing/test-server.js'
import { bothVersions, startBoth } from './testing/v0-3-server.js'

const card = bothVersions({ capabilities: { streaming: true, pushNotifications: true } })

async function listen(): Promise<{ readonly server: TestServer; readonly serving: Serving }> {
  const server = await startBoth({ card, pushKeys: PUSH_KEYS })
  const serving = await serve(server.harness, { port: 0 })
  onTestFinished(() => serving.close())
  return { server, serving }
}

/** The card as the SDK's client of the version reads it, with the interfaces of one binding at the server's real address. */
async function readCard({ url }: Serving, binding: string, version: string): Promise<AgentCard> {
  const response = await fetch(`${url}/.well-known/agent-card.json`, { headers: { 'A2A-Version': version } })
  const raw: unknown = await response.json()
  expect(isLegacyAgentCard(raw)).toBe(version === '0.3')
  const read = version === '0.3' ? parseLegacyAgentCard(raw) : AgentCard.fromJSON(raw)
  const supportedInterfaces = read.supportedInterfaces
    .filter((entry) => entry.protocolBinding === binding && entry.protocolVersion.startsWith(version))
    .map((entry) => ({ ...entry, url: `${url}/a2a` }))
  return { ...read, supportedInterfaces }
}

/** The SDK's client of one version, over one binding. */
async function connect(serving: Serving, binding: string, version: string): Promise<Client> {
  const legacyCompat = { enabled: true }
  const transports = [new JsonRpcTransportFactory({ legacyCompat }), new RestTransportFactory({ legacyCompat })]
  return new ClientFactory({ transports }).createFromAgentCard(await readCard(serving, binding, version))
}

const request = (messageId: string, taskId = '', returnImmediately = false) =>
  SendMessageRequest.fromJSON({
    message: { messageId, taskId, role: 'ROLE_USER', parts: [{ text: 'hello' }] },
    configuration: { returnImmediately, acceptedOutputModes: ['text/plain'] },
  })

async function all(events: AsyncIterable<StreamResponse>): Promise<readonly StreamResponse[]> {
  const collected: StreamResponse[] = []
  for await (const event of events) collected.push(event)
  return collected
}

const stateOf = ({ payload }: StreamResponse) =>
  payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? payload.value.status?.state : undefined

describe.each(['JSONRPC', 'HTTP+JSON'])("the SDK's client of A2A 0.3 over %s and a socket", (binding) => {
  test('sends, waits, gets and cancels', async () => {
    const { server, serving } = await listen()
    const client = await connect(serving, binding, '0.3')
    const sent = client.sendMessage(request('m-1'))
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'ask', message: says('which?') })
    expect(await sent).toMatchObject({ id: taskId, status: { state: TaskState.TASK_STATE_INPUT_REQUIRED } })
    expect(await client.getTask({ tenant: '', id: taskId, historyLength: 1 })).toMatchObject({
      id: taskId,
      history: [{ role: Role.ROLE_USER }],
    })
    expect(await client.cancelTask({ tenant: '', id: taskId, metadata: undefined })).toMatchObject({
      status: { state: TaskState.TASK_STATE_CANCELED },
    })
    await expect(client.cancelTask({ tenant: '', id: taskId, metadata: undefined })).rejects.toBeInstanceOf(TaskNotCancelableError)
    await expect(client.getTask({ tenant: '', id: 'nope' })).rejects.toBeInstanceOf(TaskNotFoundError)
  })

  test('streams to the end, and comes back to a running task', async () => {
    const { server, serving } = await listen()
    const client = await connect(serving, binding, '0.3')
    const streamed = all(client.sendMessageStream(request('m-1')))
    const { taskId } = await server.woken(1)
    const turn = await openTurn(server.store, taskId)
    const stream = client.resubscribeTask({ tenant: '', id: taskId })
    const first = await stream.next()
    expect(first.value?.payload).toMatchObject({ $case: 'task', value: { id: taskId, status: { state: TaskState.TASK_STATE_WORKING } } })
    await turn.write(chunk('a', 'one'))
    await turn.end({ kind: 'complete', message: says('done') })
    expect((await all(stream)).map(stateOf)).toEqual([undefined, TaskState.TASK_STATE_COMPLETED])
    expect((await streamed).map(stateOf)).toEqual([
      TaskState.TASK_STATE_SUBMITTED,
      TaskState.TASK_STATE_WORKING,
      undefined,
      TaskState.TASK_STATE_COMPLETED,
    ])
    await expect(all(client.sendMessageStream(request('m-2', 'nope')))).rejects.toBeInstanceOf(Error)
  })

  test('does its whole round of push notification configs', async () => {
    const { server, serving } = await listen()
    const client = await connect(serving, binding, '0.3')
    const { id: taskId } = (await client.sendMessage(request('m-1', '', true))) as { id: string }
    const config = TaskPushNotificationConfig.fromJSON({
      taskId,
      id: 'c1',
      url: 'https://example.com/hook',
      token: 'my-token',
      authentication: { scheme: 'Bearer', credentials: 'mine' },
    })
    const shown = { ...config, token: '', authentication: { scheme: 'Bearer', credentials: '' } }
    expect(await client.createTaskPushNotificationConfig(config)).toEqual(shown)
    expect(await client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'c1' })).toEqual(shown)
    // In 0.3 a task has one config without an id of its own, and setting it again replaces it.
    for (const path of ['a', 'b']) {
      const unnamed = TaskPushNotificationConfig.fromJSON({ taskId, url: `https://example.com/${path}` })
      expect(await client.createTaskPushNotificationConfig(unnamed)).toMatchObject({ id: taskId, url: `https://example.com/${path}` })
    }
    const { configs } = await client.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 0, pageToken: '' })
    expect(configs.map(({ id }) => id)).toEqual(['c1', taskId])
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: 'c1' })
    await expect(client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'c1' })).rejects.toBeInstanceOf(TaskNotFoundError)
    const stored = await server.store.pushConfig(taskId, taskId)
    expect(stored?.config).toMatchObject({ wireVersion: '0.3' })
  })

  test('is told that there is no extended card', async () => {
    const { serving } = await listen()
    const legacyCompat = { enabled: true }
    const factory = binding === 'JSONRPC' ? new JsonRpcTransportFactory({ legacyCompat }) : new RestTransportFactory({ legacyCompat })
    const transport = await factory.create(`${serving.url}/a2a`, await readCard(serving, binding, '0.3'))
    await expect(transport.getExtendedAgentCard({ tenant: '' })).rejects.toBeInstanceOf(ExtendedAgentCardNotConfiguredError)
  })

  test('shares its tasks with the client of 1.0', async () => {
    const { server, serving } = await listen()
    const [old, current] = [await connect(serving, binding, '0.3'), await connect(serving, binding, '1.0')]
    const { id } = (await old.sendMessage(request('m-1', '', true))) as { id: string }
    await playTurn(server.store, id, { kind: 'complete', message: says('done') }, chunk('a', 'one'))
    const inOld = await old.getTask({ tenant: '', id })
    expect(await current.getTask({ tenant: '', id })).toEqual(inOld)
    expect(
      await current.listTasks({ tenant: '', contextId: '', status: 0, pageSize: 5, pageToken: '', statusTimestampAfter: undefined }),
    ).toMatchObject({ tasks: [{ id }] })
    const { id: second } = (await current.sendMessage(request('m-2', '', true))) as { id: string }
    expect(await old.cancelTask({ tenant: '', id: second, metadata: undefined })).toMatchObject({
      id: second,
      status: { state: TaskState.TASK_STATE_CANCELED },
    })
  })
})
