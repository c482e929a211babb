import type { TaskJson } from '@moorage/protocol'
import { describe, expect, test } from 'vitest'
import { BINDINGS, type Fields } from './testing/bindings.js'
import { chunk, playTurn } from './testing/play.js'
import { startTestServer, type TestServer } from './testing/test-server.js'

describe.each(BINDINGS)('ListTasks over $name', (binding) => {
  async function newTask(server: TestServer, number: number, contextId = 'c'): Promise<string> {
    const message = { messageId: `m-${number}`, role: 'ROLE_USER', parts: [{ text: 'hello' }], contextId }
    const response = await binding.call(server, 'sendMessage', { message, configuration: { returnImmediately: true } })
    return ((await binding.result(response))['task'] as TaskJson).id
  }

  async function list(server: TestServer, request: Fields = {}) {
    const page = await binding.result(await binding.call(server, 'listTasks', request))
    return page as unknown as { tasks: TaskJson[]; nextPageToken: string; pageSize: number; totalSize: number }
  }

  const errorOf = async (server: TestServer, request: Fields) => binding.error(await binding.call(server, 'listTasks', request))

  test('has all four fields though there is nothing', async () => {
    const server = await startTestServer()
    expect(await list(server)).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 })
  })

  test('pages through all tasks once, while new ones come, and ends with an empty token', async () => {
    const server = await startTestServer()
    const ids = [await newTask(server, 1), await newTask(server, 2), await newTask(server, 3), await newTask(server, 4)]
    const first = await list(server, { pageSize: 2 })
    expect(first).toMatchObject({ pageSize: 2, totalSize: 4 })
    const late = await newTask(server, 5)
    const second = await list(server, { pageSize: 2, pageToken: first.nextPageToken })
    expect(second).toMatchObject({ nextPageToken: '', totalSize: 5 })
    const seen = [...first.tasks, ...second.tasks].map(({ id }) => id)
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect((await list(server)).tasks.map(({ id }) => id)).toContain(late)
  })

  test('puts a task first whose status has changed', async () => {
    const server = await startTestServer()
    const old = await newTask(server, 1)
    await newTask(server, 2)
    await expect.poll(() => new Date().toISOString()).not.toBe((await server.store.get(old))?.task.status.timestamp)
    await playTurn(server.store, old, { kind: 'complete' })
    expect((await list(server)).tasks[0]?.id).toBe(old)
  })

  test('filters by context, state and time, all at once', async () => {
    const server = await startTestServer()
    const wanted = await newTask(server, 1, 'mine')
    await newTask(server, 2, 'mine')
    await newTask(server, 3, 'other')
    await playTurn(server.store, wanted, { kind: 'complete' })
    const since = (await server.store.get(wanted))?.task.status.timestamp
    const filters = { contextId: 'mine', status: 'TASK_STATE_COMPLETED', statusTimestampAfter: since }
    expect(await list(server, filters)).toMatchObject({ totalSize: 1, tasks: [{ id: wanted }] })
    expect((await list(server, { ...filters, status: 'TASK_STATE_FAILED' })).totalSize).toBe(0)
    expect((await list(server, { status: 'TASK_STATE_UNSPECIFIED' })).totalSize).toBe(3)
    expect((await list(server, { statusTimestampAfter: '2999-01-01T00:00:00Z' })).totalSize).toBe(0)
  })

  test('leaves artifacts out unless they are asked for', async () => {
    const server = await startTestServer()
    const id = await newTask(server, 1)
    expect((await list(server)).tasks[0]).not.toHaveProperty('artifacts')
    expect((await list(server, { includeArtifacts: true })).tasks[0]?.artifacts).toEqual([])
    await playTurn(server.store, id, { kind: 'complete' }, chunk('a', 'one'))
    expect((await list(server, { includeArtifacts: true })).tasks[0]?.artifacts).toMatchObject([{ artifactId: 'a' }])
  })

  test('takes a token with the filters it was given for, and no other', async () => {
    const server = await startTestServer()
    for (let i = 0; i < 3; i++) await newTask(server, i)
    const { nextPageToken: pageToken } = await list(server, { pageSize: 1, contextId: 'c' })
    expect((await list(server, { pageSize: 2, contextId: 'c', pageToken })).tasks).toHaveLength(2)
    for (const request of [{ pageToken }, { pageToken, contextId: 'd' }, { pageToken, contextId: 'c', status: 'TASK_STATE_FAILED' }]) {
      const { details } = await errorOf(server, request)
      expect(details).toContainEqual(expect.objectContaining({ fieldViolations: [expect.objectContaining({ field: 'pageToken' })] }))
    }
  })

  test('takes no token of another store', async () => {
    const [server, other] = [await startTestServer(), await startTestServer()]
    for (let i = 0; i < 2; i++) await newTask(other, i)
    const { nextPageToken: pageToken } = await list(other, { pageSize: 1 })
    expect((await errorOf(server, { pageToken })).message).toContain('pageToken')
  })
})
