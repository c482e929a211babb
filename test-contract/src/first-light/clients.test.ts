import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Task, TaskState } from '@a2a-js/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { artifactText, BINDINGS, connect, describeEvent, getTask, numbers, send, sendRequest, toJson } from '../clients.js'
import { type AgentProcess, startAgentProcess } from '../processes/agent-process.js'
import { until } from '../until.js'

let folder: string
let server: AgentProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moorage-clients-'))
  server = await startAgentProcess(join(folder, 'data'))
})

afterAll(async () => {
  await server?.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

describe.each(BINDINGS)("the SDK's client over %s", (binding) => {
  test('sends and gets the completed task', async () => {
    const client = await connect(server.url, binding)
    const task = await send(client, [{ chunks: 3, everyMs: 0 }, { complete: 'done' }])
    expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'done' }] } })
    expect(artifactText(task)).toBe(numbers(3))
    expect(artifactText(await getTask(client, task.id))).toBe(numbers(3))
  })

  test('streams the task, its updates, and its end', async () => {
    const client = await connect(server.url, binding)
    const events: string[] = []
    for await (const event of client.sendMessageStream(sendRequest([{ chunks: 2, everyMs: 100 }, { complete: 'done' }]))) {
      events.push(describeEvent(event))
    }
    expect(events).toEqual([
      'task TASK_STATE_SUBMITTED',
      'status TASK_STATE_WORKING',
      'artifact numbers',
      'artifact numbers',
      'status TASK_STATE_COMPLETED',
    ])
  })

  test('asks, and completes the same task with the reply', async () => {
    const client = await connect(server.url, binding)
    const asked = await send(client, [{ ask: 'Which region?' }])
    expect(asked.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'Which region?' }] } })
    const completed = await send(client, 'north', { taskId: asked.id })
    expect(completed).toMatchObject({
      id: asked.id,
      status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Hello from TCK' }] } },
    })
  })

  test('lists by pages, each task once', async () => {
    const client = await connect(server.url, binding)
    const contextId = `list-${binding}`
    const sent = await Promise.all([1, 2, 3].map(() => send(client, 'hello', { contextId })))
    const query = { tenant: '', contextId, status: TaskState.TASK_STATE_UNSPECIFIED, pageSize: 2, statusTimestampAfter: undefined }
    const first = await client.listTasks({ ...query, pageToken: '' })
    const second = await client.listTasks({ ...query, pageToken: first.nextPageToken })
    expect(first).toMatchObject({ totalSize: 3, pageSize: 2 })
    expect(second.nextPageToken).toBe('')
    expect([...first.tasks, ...second.tasks].map((task) => task.id).sort()).toEqual(sent.map((task) => task.id).sort())
  })

  test('cancels, and a subscription sees the end', async () => {
    const client = await connect(server.url, binding)
    const task = await send(client, [{ ask: 'Which region?' }])
    const events: string[] = []
    const subscription = (async () => {
      for await (const event of client.resubscribeTask({ tenant: '', id: task.id })) events.push(describeEvent(event))
    })()
    await until(() => events.length > 0)
    const canceled = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })
    await subscription
    expect(toJson(canceled).status.state).toBe('TASK_STATE_CANCELED')
    expect(events).toEqual(['task TASK_STATE_INPUT_REQUIRED', 'status TASK_STATE_CANCELED'])
  })

  test('gets the answer of a command while the turn runs', async () => {
    const client = await connect(server.url, binding)
    const task = await send(client, [{ await: 'never' }, { complete: 'done' }], { returnImmediately: true })
    const answered = await send(client, '/echo hello there', { taskId: task.id })
    expect(answered.status.message?.parts).toEqual([{ text: 'hello there' }])
    await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })
  })
})

test('a promise that the agent left behind and that fails ends neither the process nor the task', async () => {
  const client = await connect(server.url, 'JSONRPC')
  const task = await send(client, [{ stray: 'nobody awaits this' }, { chunks: 2, everyMs: 50 }, { complete: 'done' }])
  expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  expect(server.output()).toContain('nobody awaits this')
})

test('a task that one binding made is the same over the other', async () => {
  const [jsonRpc, httpJson] = await Promise.all([connect(server.url, 'JSONRPC'), connect(server.url, 'HTTP+JSON')])
  const task = await send(jsonRpc, [{ chunks: 2, everyMs: 0 }, { complete: 'done' }])
  const [one, other] = await Promise.all([jsonRpc.getTask({ tenant: '', id: task.id }), httpJson.getTask({ tenant: '', id: task.id })])
  expect(Task.toJSON(other)).toEqual(Task.toJSON(one))
})
