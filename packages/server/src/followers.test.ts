import type { StreamResponseJson } from '@moorage/protocol'
import type { TaskStore } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { chunk, openTurn } from './testing/play.js'
import { readSse } from './testing/read-sse.js'
import { overrideStore, startTestServer, type TestServer } from './testing/test-server.js'
import { newTask } from './testing/test-tasks.js'

const PATIENCE = { timeout: 120_000 }

describe.each(BINDINGS)('the followers of a task over $name', PATIENCE, (binding) => {
  const limits = { ratePerMinute: 0, streamsPerPeer: 100_000 }
  const subscribe = (server: TestServer, id: string, init: RequestInit = {}) => binding.call(server, 'subscribeToTask', { id }, init)
  const textOf = (data: string): string => {
    const told = binding.payload(data) as unknown as StreamResponseJson
    const [part] = 'artifactUpdate' in told ? told.artifactUpdate.artifact.parts : []
    return part && 'text' in part ? part.text : ''
  }

  test('each get every entry in order, beside one that reads nothing', async () => {
    const server = await startTestServer({ limits })
    const taskId = await newTask(server)
    await subscribe(server, taskId)
    const readers = await Promise.all(Array.from({ length: 100 }, async () => readSse(await subscribe(server, taskId))))
    const reading = Promise.all(readers.map((reader) => reader.rest()))
    const turn = await openTurn(server.store, taskId)
    for (let i = 0; i < 100; i++) await turn.write(chunk('a', `${i} `))
    await turn.end({ kind: 'complete' })
    const expected = Array.from({ length: 100 }, (_, i) => `${i} `).join('')
    for (const events of await reading) expect(events.map(({ data }) => textOf(data)).join('')).toBe(expected)
  })

  test('that take nothing are cut with the id to go on from, and the others go on', async () => {
    let cut = () => {}
    const isCut = new Promise<void>((resolve) => {
      cut = resolve
    })
    const follow =
      (store: TaskStore): TaskStore['follow'] =>
      (id, after, signal, slow) =>
        store.follow(id, after, signal, slow && { ...slow, onCut: () => [slow.onCut(), cut()] })
    const server = await startTestServer({
      limits,
      keepAliveMs: 2000,
      wrapStore: (store) => overrideStore(store, { follow: follow(store) }),
    })
    const taskId = await newTask(server)
    const slow = readSse(await subscribe(server, taskId))
    await slow.next()
    const other = readSse(await subscribe(server, taskId))
    const reading = other.rest()
    const turn = await openTurn(server.store, taskId)
    for (let i = 0; i < 11; i++) await turn.write(...Array.from({ length: 100 }, (_, j) => chunk('a', `${i * 100 + j} `)))
    await turn.end({ kind: 'complete' })
    const all = (await reading).slice(1)
    expect(all.filter(({ data }) => textOf(data) !== '')).toHaveLength(1100)
    await isCut
    const taken = await slow.rest()
    const last = taken.at(-1)?.id ?? ''
    expect(slow.comments.at(-1)).toBe(`: this client takes too little of what comes; go on with Last-Event-ID: ${last}`)
    expect(taken.length).toBeLessThan(10)
    const resumed = await readSse(await subscribe(server, taskId, { headers: { 'Last-Event-ID': last } })).rest()
    expect([...taken, ...resumed]).toEqual(all)
  })
})
