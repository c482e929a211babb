import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Role, TaskState } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import type { TaskJson } from '@moorage/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { artifactText, BINDINGS, connect, describeEvent, numbers, send, sendRequest } from '../clients.js'
import { type ConformanceProcess, startConformanceProcess } from '../processes/conformance-process.js'
import { until } from '../until.js'
import type { Script } from './script.js'

let folder: string
let server: ConformanceProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moorage-conformance-agent-'))
  server = await startConformanceProcess(join(folder, 'data'), { TCK_STREAMING_TIMEOUT: '0.1' })
})

afterAll(async () => {
  await server?.end('SIGTERM')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** The state, what is said with it, and the parts of each artifact. */
function outline({ status, artifacts = [] }: TaskJson) {
  const said = status.message?.parts.map((part) => ('text' in part ? part.text : '?')).join('')
  return [status.state.replace('TASK_STATE_', ''), said, ...artifacts.map(({ parts }) => parts)]
}

const FILE = { raw: 'R2VuZXJhdGVkIGZpbGUgY29udGVudA==', filename: 'output.txt', mediaType: 'text/plain' }
const FILE_URL = { url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' }

const PREFIXES: readonly [string, ...unknown[]][] = [
  ['tck-complete-task', 'COMPLETED', 'Hello from TCK'],
  ['anything-else', 'COMPLETED', 'Hello from TCK'],
  ['tck-artifact-text', 'COMPLETED', undefined, [{ text: 'Generated text content' }]],
  ['tck-artifact-file', 'COMPLETED', undefined, [FILE]],
  ['tck-artifact-file-url', 'COMPLETED', undefined, [FILE_URL]],
  ['tck-artifact-data', 'COMPLETED', undefined, [{ data: { key: 'value', count: 42 } }]],
  ['tck-input-required', 'INPUT_REQUIRED', 'Input required'],
  ['tck-auth-required', 'AUTH_REQUIRED', 'Authorisation required'],
  ['tck-reject-task', 'REJECTED', 'rejected'],
  ['tck-stream-001', 'COMPLETED', undefined, [{ text: 'Stream hello from TCK' }]],
  ['tck-stream-002', 'COMPLETED', 'Hello from TCK'],
  ['tck-stream-003', 'COMPLETED', undefined, [{ text: 'Stream task lifecycle' }]],
  ['tck-stream-ordering-001', 'COMPLETED', undefined, [{ text: 'Ordered output' }]],
  ['tck-stream-artifact-text', 'COMPLETED', undefined, [{ text: 'Streamed text content' }]],
  ['tck-stream-artifact-file', 'COMPLETED', undefined, [FILE]],
  ['tck-stream-artifact-chunked', 'COMPLETED', undefined, [{ text: 'chunk-1 ' }, { text: 'chunk-2' }]],
  ['test-resubscribe-message-id', 'COMPLETED', 'Hello from TCK'],
  ['tck-delayed-complete', 'COMPLETED', 'Done after delay'],
]

describe.each(BINDINGS)('the conformance agent over %s', (binding) => {
  let client: Client
  beforeAll(async () => {
    client = await connect(server.url, binding)
  })
  const run = (script: Script) => send(client, script)

  test.each(PREFIXES)('does what the kit wants of %s, by the id of the message or by its text', async (prefix, ...wanted) => {
    expect(outline(await send(client, 'hello', { messageId: `${prefix}-${randomUUID()}` }))).toEqual(wanted)
    expect(outline(await send(client, prefix))).toEqual(wanted)
  })

  test('looks at each message, not at the task, and takes the same message id again', async () => {
    const asked = await send(client, 'hello', { messageId: 'tck-input-required-1' })
    expect(outline(await send(client, 'hello', { messageId: 'tck-complete-task-1', taskId: asked.id }))).toEqual([
      'COMPLETED',
      'Hello from TCK',
    ])
    const again = await send(client, 'hello', { messageId: 'tck-input-required-1' })
    expect(again.id).not.toBe(asked.id)
    expect(outline(again)[0]).toBe('INPUT_REQUIRED')
  })

  test('streams a chunked artifact chunk by chunk', async () => {
    const events: string[] = []
    for await (const event of client.sendMessageStream(
      sendRequest('hello', { messageId: `tck-stream-artifact-chunked-${randomUUID()}` }),
    )) {
      events.push(describeEvent(event))
    }
    expect(events).toEqual([
      'task TASK_STATE_SUBMITTED',
      'status TASK_STATE_WORKING',
      'artifact output',
      'artifact output',
      'status TASK_STATE_COMPLETED',
    ])
  })

  test('writes artifacts: numbered chunks, a chunk, and many bytes', async () => {
    const task = await run([
      { chunks: 3, everyMs: 1, artifact: 'a' },
      { chunk: 'and more', artifact: 'a' },
      { bytes: 70_000 },
      { complete: 'done' },
    ])
    expect(artifactText(task, 'a')).toBe(`${numbers(3)}and more`)
    expect(artifactText(task, 'bytes')).toHaveLength(70_000)
  })

  test.each<[string, Script, ...unknown[]]>([
    ['complete', [{ complete: 'done' }], 'COMPLETED', 'done'],
    ['fail', [{ fail: 'broken' }], 'FAILED', 'broken'],
    ['reject', [{ reject: 'no' }], 'REJECTED', 'no'],
    ['no end', [{ sleepMs: 1 }], 'COMPLETED', undefined],
  ])('ends as the script says: %s', async (_, script, ...wanted) => {
    expect(outline(await run(script))).toEqual(wanted)
  })

  test('says a status, and asks, and goes on with the next step when it is answered', async () => {
    const asked = await run([{ status: 'at it' }, { ask: 'Which?' }, { auth: 'Let me in' }, { chunks: 1 }, { complete: 'done' }])
    expect(outline(asked)).toEqual(['INPUT_REQUIRED', 'Which?'])
    expect(JSON.stringify(asked.history)).toContain('at it')
    const locked = await send(client, 'that one', { taskId: asked.id })
    expect(outline(locked)).toEqual(['AUTH_REQUIRED', 'Let me in'])
    expect(locked.status.message?.metadata).toEqual({ authScheme: 'conformance' })
    expect(outline(await send(client, 'granted', { taskId: asked.id }))).toEqual(['COMPLETED', 'done', [{ text: '1 ' }]])
  })

  test('waits at a gate until it is opened over HTTP', async () => {
    const gate = `gate-${binding.replace('+', '-')}`
    const task = await send(client, [{ mark: gate }, { await: gate }, { complete: 'through' }], { returnImmediately: true })
    await until(() => server.rendezvous.isMarked(gate))
    const opened = await fetch(`${server.url}/_gates/${gate}`, { method: 'POST' })
    expect(await opened.json()).toEqual({ gate, open: true })
    const ended = await until(async () => {
      const now = await client.getTask({ tenant: '', id: task.id })
      return now.status?.message && now
    })
    expect(JSON.stringify(ended.status?.message)).toContain('through')
  })

  test('counts steps by their keys, outside the store', async () => {
    const name = `counter-${binding.replace('+', '-')}`
    await run([{ count: name }, { count: name }, { complete: 'done' }])
    await run([{ count: name }, { complete: 'done' }])
    const counters = (await (await fetch(`${server.url}/_counters`)).json()) as Record<string, unknown>
    expect(counters[name]).toEqual({ keys: 3, runs: 3 })
  })

  test('throws what the script says', async () => {
    const task = await send(client, [{ count: 'thrown' }, { throw: 'as the script says' }], { returnImmediately: true })
    await until(() => server.output().includes('as the script says'))
    await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })
  })

  test('rejects a wrong script, naming the step', async () => {
    const task = await send(client, [{ status: 'fine' }, { dance: 1 }] as unknown as Script)
    expect(outline(task)).toEqual(['REJECTED', expect.stringMatching(/^script\[1\]: is no step; there are chunks, /)])
  })

  test.each<[string, string | Script, string]>([
    ['tck-message-response', 'tck-message-response', 'Direct message response'],
    ['a script', [{ count: 'messages' }, { message: 'hello there' }], 'hello there'],
  ])('answers a blocking send with a Message, and anything else with a Task: %s', async (_, content, text) => {
    const contextId = randomUUID()
    const answer = await client.sendMessage(sendRequest(content, { contextId }))
    expect(answer).toMatchObject({ contextId, role: Role.ROLE_AGENT, parts: [{ content: { $case: 'text', value: text } }] })
    expect(answer).not.toHaveProperty('status')
    const list = { tenant: '', status: 0, pageSize: 10, pageToken: '', statusTimestampAfter: undefined }
    expect(await client.listTasks({ ...list, contextId })).toMatchObject({ totalSize: 0, tasks: [] })

    const events: string[] = []
    for await (const event of client.sendMessageStream(sendRequest(content))) events.push(describeEvent(event))
    expect([events[0], events.at(-1)]).toEqual(['task TASK_STATE_SUBMITTED', 'status TASK_STATE_COMPLETED'])
    const task = await send(client, content, { contextId, returnImmediately: true })
    await until(async () => (await client.getTask({ tenant: '', id: task.id })).status?.state === TaskState.TASK_STATE_COMPLETED)
    expect(await client.listTasks({ ...list, contextId })).toMatchObject({ totalSize: 1 })
  })

  test('refuses other media types than the card declares', async () => {
    const request = sendRequest('hello')
    const [part] = request.message?.parts ?? []
    if (part) part.mediaType = 'application/x-unsupported'
    await expect(client.sendMessage(request)).rejects.toThrow(/not accepted: send text\/plain, application\/json/)
  })
})

test('a gate with a name that no file could have is refused', async () => {
  const response = await fetch(`${server.url}/_gates/..%2Fgate`, { method: 'POST' })
  expect(response.status).toBe(400)
})

test('the card declares what the profile says', async () => {
  const card = async (url: string) =>
    (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as { readonly capabilities: object }
  expect((await card(server.url)).capabilities).toEqual({ streaming: true, pushNotifications: false, extendedAgentCard: false })
  const bare = await startConformanceProcess(join(folder, 'bare'), { MOORAGE_PROFILE: 'bare' })
  expect((await card(bare.url)).capabilities).toEqual({ streaming: false, pushNotifications: false, extendedAgentCard: false })
  await bare.end('SIGTERM')
  const required = await startConformanceProcess(join(folder, 'required'), { MOORAGE_PROFILE: 'required-extension' })
  expect((await card(required.url)).capabilities).toMatchObject({
    extensions: [{ uri: 'urn:a2a:tck:required-extension', required: true }],
  })
  await required.end('SIGTERM')
})
