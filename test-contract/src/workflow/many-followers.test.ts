import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { defineAgent } from '@moorage/agent'
import { buildAgentCard } from '@moorage/card'
import { createHarness } from '@moorage/server'
import { type Serving, serve } from '@moorage/server/node'
import { expect, onTestFinished } from 'vitest'
import { eventTypes } from './history.js'
import { type Stage, says, stageTest } from './stage.js'

const CLIENTS = 1000
const ENTRIES = 500
/** More in all than the sockets' own buffers hold of one who does not read. */
const DRAFTS = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(1024 * 1024))
/** Long after a client that reads has been served on a busy machine. */
const KEEP_ALIVE_MS = 3000

let begin = Promise.resolve()

const agent = defineAgent({
  id: 'followed',
  card: { name: 'Followed' },
  async turn(turn) {
    // The log keeps them all; the task as it is has the last one only.
    for (const draft of [...DRAFTS, 'short']) await turn.artifact('draft').replace(draft)
    await turn.status('Drafted')
    await begin
    for (let i = 0; i < ENTRIES; i++) await turn.artifact('numbers').append(`${i} `)
    return turn.complete()
  },
})

/** What a client has got. */
interface Got {
  readonly status: number
  readonly ids: readonly number[]
  /** That of the artifact whose chunks are counted. */
  readonly text: string
}

interface Crowd {
  readonly following: number
  readonly readers: readonly (Got & { readonly clients: number })[]
  readonly cut: Got
  readonly resumed: Got
}

/** Clients in a process of their own. */
function startCrowd(port: number, taskId: string) {
  const file = fileURLToPath(new URL('following-crowd.mjs', import.meta.url))
  const crowd = fork(file, [`${port}`, taskId, `${CLIENTS}`], { execArgv: [] })
  onTestFinished(() => void crowd.kill('SIGKILL'))
  /** The next thing that the crowd tells. */
  const told = async (): Promise<Crowd> => {
    const exit = once(crowd, 'exit').then(([code]) => Promise.reject(new Error(`the clients have gone: ${code}`)))
    const [message] = await Promise.race([once(crowd, 'message'), exit])
    return message as Crowd
  }
  return { told, letSilentRead: () => crowd.send('read') }
}

/** A server over the stage's store, and the answer to the one who subscribes from the start of the log. */
async function serveStage({ store, waker }: Stage): Promise<{ readonly serving: Serving; readonly silent: Promise<ServerResponse> }> {
  const card = buildAgentCard({ name: 'Followed' }, { agentId: agent.id, baseUrl: 'http://agent.test' })
  const limits = { ratePerMinute: 0, streamsPerPeer: CLIENTS + 1 }
  const harness = createHarness(agent, { card, store, waker, limits, keepAliveMs: KEEP_ALIVE_MS, logger: { error: () => {} } })
  await harness.start()
  let answer = (_: ServerResponse) => {}
  const silent = new Promise<ServerResponse>((resolve) => {
    answer = resolve
  })
  const fetch = (request: Request, env?: object) => {
    if (request.headers.get('last-event-id') === '0') answer((env as { readonly outgoing: ServerResponse }).outgoing)
    return harness.fetch(request, env)
  }
  const serving = await serve({ ...harness, fetch }, { port: 0 })
  onTestFinished(() => serving.close())
  return { serving, silent }
}

const span = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

stageTest(
  '1,000 clients of one task get its 500 entries in order, but one that never reads, and cost Temporal no event',
  async ({ open }) => {
    const stage = await open(agent)
    const alone = await stage.send('go')
    await stage.ended(alone.taskId)

    let go = () => {}
    begin = new Promise((resolve) => {
      go = resolve
    })
    const { serving, silent } = await serveStage(stage)
    const { taskId } = await stage.send('go')
    await stage.until(taskId, says('Drafted'))
    const { seq: before = 0 } = (await stage.store.record(taskId)) ?? {}
    const { told, letSilentRead } = startCrowd(serving.port, taskId)
    expect((await told()).following).toBe(CLIENTS)
    const stalled = await silent
    const dropped = stalled.closed ? Promise.resolve() : once(stalled, 'close')
    const readers = told()
    go()
    await stage.ended(taskId)

    const { seq = 0 } = (await stage.store.record(taskId)) ?? {}
    expect(seq - before).toBe(ENTRIES + 1)
    const text = span(0, ENTRIES - 1)
      .map((i) => `${i} `)
      .join('')
    expect((await readers).readers).toEqual([{ clients: CLIENTS - 1, status: 200, ids: span(before, seq), text }])
    expect(eventTypes(await stage.history(taskId))).toEqual(eventTypes(await stage.history(alone.taskId)))

    await dropped
    expect(stalled.writableFinished).toBe(false)
    letSilentRead()
    const { cut, resumed } = await told()
    const last = cut.ids.length
    expect(last).toBeLessThan(DRAFTS.length)
    expect(cut.ids).toEqual(span(1, last))
    expect(resumed).toEqual({ status: 200, ids: span(last + 1, seq), text })
  },
)
