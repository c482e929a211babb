import type { TaskJson } from '@moorage/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BINDINGS, type Fields, type TestBinding } from './testing/bindings.js'
import { playTurn } from './testing/play.js'
import { testCard } from './testing/test-agent.js'
import { startTestServer, type TestServer } from './testing/test-server.js'

interface Page {
  readonly tasks: readonly TaskJson[]
  readonly nextPageToken: string
  readonly pageSize: number
  readonly totalSize: number
}

async function list(binding: TestBinding, server: TestServer, request: Fields = {}): Promise<Page> {
  const page = await binding.result(await binding.call(server, 'listTasks', request))
  expect(Object.keys(page).toSorted()).toEqual(['nextPageToken', 'pageSize', 'tasks', 'totalSize'])
  return page as unknown as Page
}

let messages = 0

async function newTask(binding: TestBinding, server: TestServer, fields: Fields = {}): Promise<string> {
  messages += 1
  const message = { messageId: `m-${messages}`, role: 'ROLE_USER', parts: [{ text: 'hello' }], contextId: 'c' }
  const request = { message, configuration: { returnImmediately: true }, ...fields }
  return ((await binding.result(await binding.call(server, 'sendMessage', request)))['task'] as TaskJson).id
}

/** What happens between two pages: so many tasks come, and those of these numbers change. */
const between = fc.record({ come: fc.nat(2), change: fc.array(fc.nat(20), { maxLength: 3 }) })

/** Every task of every page, in order; `happen` is called between two of them. */
async function pageThrough(binding: TestBinding, server: TestServer, pageSize: number, happen: (page: number) => Promise<void>) {
  const seen: string[] = []
  let pageToken = ''
  for (let number = 0; number === 0 || pageToken !== ''; number += 1) {
    const page = await list(binding, server, { pageSize, pageToken })
    expect(page.tasks.length).toBeLessThanOrEqual(pageSize)
    seen.push(...page.tasks.map(({ id }) => id))
    pageToken = page.nextPageToken
    await happen(number)
  }
  return seen
}

async function newTasks(binding: TestBinding, server: TestServer, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await newTask(binding, server))
  return ids
}

describe.each(BINDINGS)('the pages of ListTasks over $name', (binding) => {
  test('have each task that does not change once, and each that does once at most', async () => {
    const server = await startTestServer()
    const steps = fc.array(between, { minLength: 20, maxLength: 20 })
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 4 }), steps, async (pageSize, happenings) => {
      const before = await newTasks(binding, server, 8)
      const { totalSize } = await list(binding, server)
      const changed = new Set<string>()
      const seen = await pageThrough(binding, server, pageSize, async (number) => {
        const { come = 0, change = [] } = happenings[number] ?? {}
        await newTasks(binding, server, come)
        for (const id of change.flatMap((index) => before[index] ?? [])) {
          if (changed.has(id)) continue
          changed.add(id)
          await playTurn(server.store, id, { kind: 'complete' })
        }
      })
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen).toEqual(expect.arrayContaining(before.filter((id) => !changed.has(id))))
      expect(seen.length).toBeLessThanOrEqual(totalSize)
    })
    await fc.assert(property, { numRuns: 5 })
  }, 60_000)

  test('end where the tasks do, also after a full page', async () => {
    const server = await startTestServer()
    await newTasks(binding, server, 4)
    const first = await list(binding, server, { pageSize: 2 })
    const second = await list(binding, server, { pageSize: 2, pageToken: first.nextPageToken })
    expect([first.nextPageToken === '', second.nextPageToken, second.tasks.length]).toEqual([false, '', 2])
    expect(await list(binding, server, { pageSize: 4 })).toMatchObject({ nextPageToken: '', pageSize: 4, totalSize: 4 })
    expect(await list(binding, server, { pageSize: 100 })).toMatchObject({ nextPageToken: '', pageSize: 100, totalSize: 4 })
  })

  test('have a token for one tenant, and none for another', async () => {
    const supportedInterfaces = testCard().supportedInterfaces.flatMap((entry) => [entry, { ...entry, tenant: 'acme' }])
    const server = await startTestServer({ card: testCard({ supportedInterfaces }) })
    for (const tenant of ['acme', 'acme', '', '']) await newTask(binding, server, { tenant })
    const { nextPageToken: pageToken, totalSize } = await list(binding, server, { pageSize: 1, tenant: 'acme' })
    expect(totalSize).toBe(2)
    expect(await list(binding, server, { pageSize: 1, tenant: 'acme', pageToken })).toMatchObject({ nextPageToken: '', totalSize: 2 })
    const { details } = await binding.error(await binding.call(server, 'listTasks', { pageToken }))
    expect(details).toContainEqual(expect.objectContaining({ fieldViolations: [expect.objectContaining({ field: 'pageToken' })] }))
  })

  test('have as much history as was asked for, and tasks from their status time on', async () => {
    const server = await startTestServer()
    const id = await newTask(binding, server)
    expect((await list(binding, server)).tasks[0]?.history).toHaveLength(1)
    expect((await list(binding, server, { historyLength: 0 })).tasks[0]).not.toHaveProperty('history')
    const at = (await server.store.get(id))?.task.status.timestamp ?? ''
    const later = at.replace(/(\d{3})Z$/, '$1001Z')
    expect((await list(binding, server, { statusTimestampAfter: at })).totalSize).toBe(1)
    expect((await list(binding, server, { statusTimestampAfter: later })).totalSize).toBe(0)
  })
})
