import { join } from 'node:path'
import { defineAgent } from '@moorage/agent'
import type { PartJson, StreamResponseJson, TaskJson } from '@moorage/protocol'
import { serve } from '@moorage/server/node'
import { openSqliteStore } from '@moorage/store/sqlite'
import { expect } from 'vitest'
import { BINDINGS } from '../clients.js'
import { openStream, type RawEvent } from '../raw-stream.js'
import { openPostgres } from '../workflow/open-postgres.js'
import { type StoreOpener, stageTest } from '../workflow/stage.js'
import { openReplica } from './replica.js'

const SIZE = 20_000_000
const BODY_LIMIT = 30_000_000
const MOST_HISTORY_BYTES = 20_000

const TEXT = 'moorage '.repeat(SIZE / 8)
const RAW = Buffer.alloc(SIZE, 7).toString('base64')

/** A busy machine may take long for so much. */
const PATIENT = { acceptDeadlineMs: 60_000 }

const openLargeSqlite: StoreOpener = (dir, options) => openSqliteStore({ path: join(dir, 'large.db'), ...options, ...PATIENT })
const openLargePostgres: StoreOpener = (dir, options) => openPostgres(dir, { ...options, ...PATIENT })

/** Gives back what it gets, in one piece, and says something after it. */
const echo = defineAgent({
  id: 'echo',
  card: { defaultInputModes: ['text/plain', 'application/octet-stream'] },
  async turn(turn) {
    await turn.artifact('echo').append(turn.messages.flatMap(({ parts }) => parts))
    await turn.status('Written')
    return turn.complete()
  },
})

stageTest.for([
  ['text', 'SQLite', openLargeSqlite, 'JSONRPC', { text: TEXT }],
  ['bytes', 'Postgres', openLargePostgres, 'HTTP+JSON', { raw: RAW }],
] as const)(
  '20 MB of %s on %s reach the agent, its artifact, the task and a stream, and never the history of a run',
  async ([, , openStore, binding, part], { open }) => {
    const stage = await open(echo, { openStore })
    const replica = await openReplica(stage, echo, { limits: { maxRequestBytes: BODY_LIMIT } })
    const { url } = await serve(replica.harness, { port: 0 })
    const events = await collect(
      openStream(url, binding, 'SendStreamingMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [part] } }),
    )
    expect(events.map(describePayload)).toEqual(['task', 'WORKING', 'artifact', 'WORKING', 'COMPLETED'])
    const { task } = events[0] as { task: TaskJson }
    const { artifactUpdate } = events[2] as Extract<StreamResponseJson, { artifactUpdate: object }>
    expectPart(artifactUpdate.artifact, part)
    const found = await getTask(url, task.id)
    expectPart(found.artifacts?.[0], part)
    expectPart(found.history?.[0], part)
    expect(JSON.stringify(await stage.history(task.id)).length).toBeLessThan(MOST_HISTORY_BYTES)
  },
)

stageTest.for(BINDINGS)('more than the body limit is refused with 413, and leaves no task (%s)', async (binding, { open }) => {
  const stage = await open(echo, { worker: false })
  const replica = await openReplica(stage, echo)
  const { status, body } = await replica.send(binding, { parts: [{ text: 'x'.repeat(1_100_000) }] })
  expect(status).toBe(413)
  expect(body.error?.message).toBe('Request body too large: send at most 1048576 bytes')
  expect(await stage.store.countUnfinished()).toEqual(new Map())
})

async function getTask(url: string, id: string): Promise<TaskJson> {
  const response = await fetch(`${url}/a2a/tasks/${id}`, { headers: { 'A2A-Version': '1.0' } })
  return (await response.json()) as TaskJson
}

async function collect(stream: AsyncIterable<RawEvent>): Promise<readonly StreamResponseJson[]> {
  const payloads: StreamResponseJson[] = []
  for await (const { payload } of stream) payloads.push(payload)
  return payloads
}

function describePayload(payload: StreamResponseJson): string {
  if ('statusUpdate' in payload) return payload.statusUpdate.status.state.replace('TASK_STATE_', '')
  return 'artifactUpdate' in payload ? 'artifact' : 'task'
}

/** Not by `toEqual`, which would print 20 MB. */
function expectPart(holder: { readonly parts: readonly PartJson[] } | undefined, sent: PartJson): void {
  expect(JSON.stringify(holder?.parts) === JSON.stringify([sent])).toBe(true)
}
