import { StreamResponse, TaskPushNotificationConfig, TaskState } from '@a2a-js/sdk'
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client'
import { expect } from 'vitest'
import { artifactText, getTask, numbers, send, sendRequest, toJson } from '../../clients.js'
import type { Binding } from '../manifest/requirement.js'
import { fresh } from '../messages.js'
import { scenario } from '../scenario.js'

const SCRIPT = [{ chunks: 3, everyMs: 0 }, { complete: 'done' }]
const CONFIG = { id: 'hook', url: 'https://example.com/hook' }

/** The SDK's client, as one that only knows the version: it is given that version's card, and speaks what it finds there. */
function connect(url: string, binding: Binding, version: '1.0' | '0.3'): Promise<Client> {
  const legacyCompat = { enabled: true }
  const fetchImpl: typeof fetch = (input, init) => fetch(input, { ...init, headers: { 'A2A-Version': version } })
  const Factory = binding === 'JSONRPC' ? JsonRpcTransportFactory : RestTransportFactory
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat })
  return new ClientFactory({ transports: [new Factory({ legacyCompat })], cardResolver }).createFromUrl(url)
}

/** Everything that both versions have. */
async function goRound(client: Client): Promise<void> {
  expect(await client.getAgentCard()).toMatchObject({ name: 'Moorage conformance agent' })
  const sent = await send(client, SCRIPT)
  expect(sent.status.state).toBe('TASK_STATE_COMPLETED')
  expect(artifactText(await getTask(client, sent.id))).toBe(numbers(3))
  expect(await statesOf(client.sendMessageStream(sendRequest(SCRIPT)))).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED'])
  await cancelWhileSubscribed(client)
  await keepConfigs(client)
}

async function cancelWhileSubscribed(client: Client): Promise<void> {
  const { id } = await send(client, [{ ask: 'more?' }])
  const subscription = client.resubscribeTask({ tenant: '', id })
  const first = await subscription.next()
  expect(first.value === undefined ? undefined : StreamResponse.toJSON(first.value)).toMatchObject({ task: { id } })
  const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined })
  expect(toJson(canceled).status.state).toBe('TASK_STATE_CANCELED')
  expect(await statesOf(subscription)).toEqual(['CANCELED'])
}

async function keepConfigs(client: Client): Promise<void> {
  const { id: taskId } = await send(client, [{ ask: 'more?' }])
  const of = { tenant: '', taskId, id: CONFIG.id }
  await client.createTaskPushNotificationConfig(TaskPushNotificationConfig.fromJSON({ taskId, ...CONFIG }))
  expect(await client.getTaskPushNotificationConfig(of)).toMatchObject(CONFIG)
  expect(await client.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 10, pageToken: '' })).toMatchObject({
    configs: [CONFIG],
  })
  await client.deleteTaskPushNotificationConfig(of)
  await expect(client.getTaskPushNotificationConfig(of)).rejects.toThrow()
}

/** The states that the events tell, each where it begins. */
async function statesOf(events: AsyncIterable<StreamResponse>): Promise<readonly string[]> {
  const states: string[] = []
  for await (const event of events) {
    const json = StreamResponse.toJSON(event) as { readonly [member: string]: { readonly status?: { readonly state: string } } }
    const state = Object.values(json)[0]?.status?.state.replace('TASK_STATE_', '')
    if (state !== undefined && state !== states.at(-1)) states.push(state)
  }
  return states
}

scenario("the SDK's client goes its whole round", ['BIND-07', 'CARD-02'], { profile: 'everything' }, async ({ url, binding }) => {
  const client = await connect(url, binding, '1.0')
  await goRound(client)
  const contextId = fresh('listed')
  const { id } = await send(client, 'hello', { contextId })
  const query = {
    tenant: '',
    contextId,
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageSize: 10,
    pageToken: '',
    statusTimestampAfter: undefined,
  }
  expect((await client.listTasks(query)).tasks.map((task) => task.id)).toEqual([id])
})

scenario(
  "the SDK's client of 0.3 goes its whole round",
  ['V03-03', 'V03-04', 'V03-06'],
  { profile: 'everything' },
  async ({ url, binding, client: reader }) => {
    const client = await connect(url, binding, '0.3')
    await goRound(client)
    const { id } = await send(client, 'hello')
    expect(await reader.result('GetTask', { id })).toMatchObject({ id, status: { state: 'TASK_STATE_COMPLETED' } })
  },
)
