import { describe, expect, test } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { playTurn } from './testing/play.js'
import { readSse } from './testing/read-sse.js'
import { testAgent } from './testing/test-agent.js'
import { overrideStore, startTestServer } from './testing/test-server.js'

const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] }

describe.each(BINDINGS)('a task that is removed over $name', (binding) => {
  test('is not found by a subscription that has just seen it', async () => {
    let remove = async (): Promise<void> => {}
    const server = await startTestServer({
      wrapStore: (store) => {
        remove = async () => void (await store.removeTasks(testAgent().id, 0))
        const follow = async function* follow(id: string, after: number, signal: AbortSignal) {
          await remove()
          yield* store.follow(id, after, signal)
        }
        return overrideStore(store, { follow })
      },
    })
    await binding.call(server, 'sendMessage', { message, configuration: { returnImmediately: true } })
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'complete' })
    const reader = readSse(await binding.call(server, 'subscribeToTask', { id: taskId }, { headers: { 'Last-Event-ID': '0' } }))
    const events = await reader.rest()
    expect(events).toHaveLength(1)
    expect(events[0]?.data).toContain('TASK_NOT_FOUND')
    expect(server.logged).toEqual([])
  })

  test('is made anew by its first message, sent again', async () => {
    const server = await startTestServer()
    const send = () => binding.call(server, 'sendMessage', { message, configuration: { returnImmediately: true } })
    await send()
    const { taskId } = await server.woken(1)
    await playTurn(server.store, taskId, { kind: 'complete' })
    await server.store.removeTasks(testAgent().id, 0)
    await send()
    expect(await server.woken(2)).toMatchObject({ taskId, unhandled: [{ position: 1 }] })
    expect(await server.store.record(taskId)).toMatchObject({ state: 'TASK_STATE_SUBMITTED', seq: 1 })
  })
})
