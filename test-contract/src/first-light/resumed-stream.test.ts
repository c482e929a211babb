import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { BINDINGS, numbers } from '../clients.js'
import { startAgentProcess } from '../processes/agent-process.js'
import { openStream, type RawEvent } from '../raw-stream.js'
import { temporaryFolder } from '../temporary-folder.js'

const CHUNKS = 50

test.each(BINDINGS)(
  'a stream that is dropped after ten of fifty chunks goes on after the last id that was seen, over %s',
  async (binding) => {
    const server = await startAgentProcess(join(await temporaryFolder(), 'data'), { TEMPORAL_ADDRESS: inject('engine') })
    onTestFinished(async () => {
      await server.end('SIGTERM')
    })
    const script = [{ chunks: CHUNKS, everyMs: 20 }, { complete: 'done' }]
    const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data: { script } }] }
    const dropped = new AbortController()
    const events: RawEvent[] = []
    try {
      for await (const event of openStream(server.url, binding, 'SendStreamingMessage', { message }, { signal: dropped.signal })) {
        events.push(event)
        if (textOf(events).startsWith(numbers(10))) dropped.abort()
      }
    } catch (error) {
      if (!dropped.signal.aborted) throw error
    }
    expect(textOf(events).length).toBeLessThan(numbers(CHUNKS).length)

    const id = taskIdOf(events)
    for await (const event of openStream(server.url, binding, 'SubscribeToTask', { id }, { lastEventId: events.at(-1)?.id ?? 0 })) {
      events.push(event)
    }
    expect(textOf(events)).toBe(numbers(CHUNKS))
    const ids = events.map((event) => event.id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))

    // The whole log once more, although the task has ended.
    const replayed: RawEvent[] = []
    for await (const event of openStream(server.url, binding, 'SubscribeToTask', { id }, { lastEventId: 0 })) replayed.push(event)
    expect(replayed).toEqual(events)
  },
)

function textOf(events: readonly RawEvent[]): string {
  return events
    .flatMap(({ payload }) => ('artifactUpdate' in payload ? payload.artifactUpdate.artifact.parts : []))
    .map((part) => ('text' in part ? part.text : ''))
    .join('')
}

function taskIdOf([first]: readonly RawEvent[]): string {
  if (!first || !('task' in first.payload)) throw new Error('The stream does not begin with the Task')
  return first.payload.task.id
}
