import { defineAgent } from '@moorage/agent'
import { expect } from 'vitest'
import { BINDINGS } from '../clients.js'
import { createGate } from '../workflow/gate.js'
import { openPostgres } from '../workflow/open-postgres.js'
import { type StageOptions, says, stageTest } from '../workflow/stage.js'
import { openReplica, type ReplicaOptions } from './replica.js'

const PLACES: readonly (readonly [name: string, room: number, stage: StageOptions, replica: ReplicaOptions])[] = [
  ['1,000 messages that wait on SQLite', 1000, {}, {}],
  ['as many messages as it is told to on Postgres', 50, { openStore: openPostgres }, { maxWaiting: 50 }],
]

stageTest.for(PLACES)(
  'takes %s, refuses more with 429 and when to come again, and takes them once there is room',
  async ([, room, database, options], { open }) => {
    const gate = createGate<void>()
    let heard = 0
    const agent = defineAgent({
      id: 'busy',
      lifecycle: 'conversation',
      async turn(turn) {
        heard += turn.messages.length
        await turn.status('Begun')
        await gate.promise
        return turn.park()
      },
    })
    const stage = await open(agent, database)
    const replica = await openReplica(stage, agent, options)
    const { taskId } = await stage.send('first')
    await stage.until(taskId, says('Begun'))
    for (let sent = 0; sent < room; sent += 50) await Promise.all(Array.from({ length: 50 }, () => stage.send('more', { taskId })))
    const before = await stage.store.record(taskId)
    const message = { taskId, messageId: 'one-too-many', parts: [{ text: 'one too many' }] }
    for (const binding of BINDINGS) {
      const { status, retryAfter, body } = await replica.send(binding, message, { returnImmediately: true })
      expect(status).toBe(429)
      expect(retryAfter).toMatch(/^[1-9]\d*$/)
      expect(body.error).toMatchObject({
        code: binding === 'JSONRPC' ? -32603 : 429,
        message: 'Too many messages are waiting on this task',
      })
    }
    expect(await stage.store.record(taskId)).toEqual(before)
    gate.resolve()
    await stage.parked(taskId, 1 + room)
    for (const binding of BINDINGS) {
      const { status } = await replica.send(binding, message, { returnImmediately: true })
      expect(status).toBe(200)
    }
    await stage.parked(taskId, 2 + room)
    expect(heard).toBe(2 + room)
  },
)

stageTest('takes 64 MiB that wait, and refuses more', async ({ open }) => {
  const agent = defineAgent({ id: 'away', turn: (turn) => turn.complete() })
  const stage = await open(agent, { worker: false })
  const replica = await openReplica(stage, agent, { limits: { maxRequestBytes: 40_000_000 } })
  const text = 'x'.repeat(34_000_000)
  const { taskId } = await stage.send([{ text }], { wake: false })
  await stage.send([{ text }], { taskId, wake: false })
  for (const binding of BINDINGS) {
    const { status, retryAfter } = await replica.send(binding, { taskId, parts: [{ text: 'more' }] }, { returnImmediately: true })
    expect({ status, retryAfter }).toEqual({ status: 429, retryAfter: '10' })
  }
})
