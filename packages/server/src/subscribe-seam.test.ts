import type { StreamResponseJson, TaskJson } from '@moorage/protocol'
import { expect, test } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { foldStream } from './testing/fold-stream.js'
import { chunk, openTurn, says } from './testing/play.js'
import { readSse } from './testing/read-sse.js'
import { startTestServer } from './testing/test-server.js'
import { newTask } from './testing/test-tasks.js'

const ENTRIES = 500
const SUBSCRIPTIONS = 40

/** Lets others go on so many times. */
async function hops(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await Promise.resolve()
}

test.each(BINDINGS)(
  'whoever subscribes at whatever moment folds the task that GetTask gives, over $name',
  { timeout: 60_000 },
  async (binding) => {
    const server = await startTestServer({ limits: { ratePerMinute: 0, streamsPerPeer: SUBSCRIPTIONS } })
    const id = await newTask(server)
    const turn = await openTurn(server.store, id)
    const told: Promise<readonly StreamResponseJson[]>[] = []
    const subscribe = async () => {
      const events = await readSse(await binding.call(server, 'subscribeToTask', { id })).rest()
      const ids = events.map((event) => Number(event.id))
      const [first = 0] = ids
      expect(ids).toEqual(ids.map((_, index) => first + index))
      return events.map(({ data }) => binding.payload(data) as unknown as StreamResponseJson)
    }
    for (let i = 0; i < ENTRIES; i++) {
      const writing = turn.write(i % 50 === 49 ? { kind: 'status', message: says(`${i}`) } : chunk(`a${i % 3}`, `${i} `))
      // They begin before, during and after the write, which does not wait for them.
      if (told.length < SUBSCRIPTIONS - 2 && i % 12 === 0) told.push(hops(i % 21).then(subscribe))
      await writing
    }
    told.push(subscribe())
    const ended = turn.end({ kind: 'complete', message: says('done') })
    await Promise.all([ended, ...told])
    const task = (await binding.result(await binding.call(server, 'getTask', { id }))) as unknown as TaskJson
    expect(task.artifacts?.flatMap(({ parts }) => parts)).toHaveLength(490)
    for (const events of await Promise.all(told)) expect(foldStream(events)).toEqual(task)
  },
)
