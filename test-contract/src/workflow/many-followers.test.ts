import { connect } from 'node:net'
import { defineAgent } from '@moorage/agent'
import { buildAgentCard } from '@moorage/card'
import { createHarness } from '@moorage/server'
import { serve } from '@moorage/server/node'
import { expect, onTestFinished } from 'vitest'
import { stageTest } from './stage.js'

const CLIENTS = 200
const ENTRIES = 500

let begin = Promise.resolve()

const agent = defineAgent({
  id: 'followed',
  card: { name: 'Followed' },
  async turn(turn) {
    await begin
    for (let i = 0; i < ENTRIES; i++) await turn.artifact('numbers').append(`${i} `)
    return turn.complete()
  },
})

/** Subscribes over a socket of its own, and counts the ids that come one after another. */
function follow(port: number, taskId: string, reads: boolean) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`GET /a2a/tasks/${taskId}:subscribe HTTP/1.1\r\nHost: agent.test\r\nA2A-Version: 1.0\r\nConnection: close\r\n\r\n`)
  const ids: number[] = []
  let rest = ''
  const begun = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  const ended = new Promise<readonly number[]>((resolve, reject) => socket.once('error', reject).once('end', () => resolve(ids)))
  socket.setEncoding('utf8').on('data', (text) => {
    if (!reads) socket.pause()
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('id: ')) ids.push(Number(line.slice(4)))
  })
  return { begun, ended }
}

stageTest('200 clients of one task, one of which reads nothing, get each entry in order, and cost Temporal no event', async ({ open }) => {
  const stage = await open(agent)
  const alone = await stage.send('go')
  await stage.ended(alone.taskId)

  const { store, waker } = stage
  const card = buildAgentCard({ name: 'Followed' }, { agentId: agent.id, baseUrl: 'http://agent.test' })
  const limits = { ratePerMinute: 0, streamsPerPeer: CLIENTS + 1 }
  const harness = createHarness(agent, { card, store, waker, limits, logger: { error: () => {} } })
  await harness.start()
  const serving = await serve(harness, { port: 0 })
  onTestFinished(() => serving.close())

  let go = () => {}
  begin = new Promise((resolve) => {
    go = resolve
  })
  const { taskId } = await stage.send('go')
  await stage.until(taskId, ({ state }) => state === 'TASK_STATE_WORKING')
  const silent = follow(serving.port, taskId, false)
  await silent.begun
  const clients = Array.from({ length: CLIENTS - 1 }, () => follow(serving.port, taskId, true))
  await Promise.all(clients.map(({ begun }) => begun))
  go()
  await stage.ended(taskId)
  const { seq = 0 } = (await store.record(taskId)) ?? {}
  expect(seq).toBeGreaterThan(ENTRIES)
  // The first is the Task as it was, at 2.
  const expected = Array.from({ length: seq - 1 }, (_, index) => index + 2)
  for (const { ended } of clients) expect(await ended).toEqual(expected)
  const [followed, unfollowed] = [await stage.history(taskId), await stage.history(alone.taskId)]
  expect(followed.events?.length).toBe(unfollowed.events?.length)
})
