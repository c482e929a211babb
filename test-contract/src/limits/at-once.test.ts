import { defineAgent } from '@moorage/agent'
import type { MessageJson, TaskJson } from '@moorage/protocol'
import { beforeAll, describe, expect } from 'vitest'
import { BINDINGS } from '../clients.js'
import { createGate } from '../workflow/gate.js'
import { eventTypes } from '../workflow/history.js'
import { openPostgres } from '../workflow/open-postgres.js'
import { type StageOptions, says, stageTest } from '../workflow/stage.js'
import { type LimitedEngine, startLimitedEngine, UNTUNED } from './limited-engine.js'
import { openReplica } from './replica.js'

const AT_ONCE = 30
/** Without merging it would be more than five for each message. */
const MOST_EVENTS = 90

const PLACES: readonly (readonly [name: string, replicas: 1 | 2, options: StageOptions])[] = [
  ['one replica on SQLite', 1, {}],
  ['two replicas on SQLite', 2, {}],
  ['one replica on Postgres', 1, { openStore: openPostgres }],
  ['two replicas on Postgres', 2, { openStore: openPostgres }],
]

let engine: LimitedEngine

beforeAll(async () => {
  engine = await startLimitedEngine(UNTUNED)
  return () => engine.stop()
})

describe.each(PLACES)('at ten Updates in flight, %s', (_, count, options) => {
  stageTest('acknowledges 30 messages at once, and handles each of them once, in the order of their positions', async ({ open }) => {
    const gate = createGate<void>()
    const heard: string[] = []
    const agent = defineAgent({
      id: 'listener',
      lifecycle: 'conversation',
      async turn(turn) {
        heard.push(...turn.messages.flatMap(textsOf))
        await turn.status('Heard')
        await gate.promise
        return turn.park()
      },
    })
    const stage = await open(agent, { ...options, address: engine.address })
    const replicas = [await openReplica(stage, agent), ...(count === 2 ? [await openReplica(stage, agent, { another: true })] : [])]
    const { taskId } = await stage.send('message 0')
    await stage.until(taskId, says('Heard'))
    const texts = Array.from({ length: AT_ONCE }, (_, index) => `message ${index + 1}`)
    const answers = await Promise.all(
      texts.map(async (text, index) => {
        const replica = replicas[index % count]
        const binding = BINDINGS[Math.floor(index / count) % 2]
        return replica?.send(binding ?? 'JSONRPC', { taskId, parts: [{ text }] }, { returnImmediately: true })
      }),
    )
    expect(answers.map((answer) => answer?.status)).toEqual(texts.map(() => 200))
    for (const { waker } of replicas) await waker.idle()
    gate.resolve()
    const task = await stage.parked(taskId, AT_ONCE + 1)
    expect(heard).toEqual(userTexts(task))
    expect(heard.toSorted()).toEqual(['message 0', ...texts].sort())
    const events = eventTypes(await stage.run(taskId).fetchHistory())
    expect(events.filter((type) => type === 'activityTaskScheduled')).toHaveLength(2)
    expect(events.length).toBeLessThan(MOST_EVENTS)
  })
})

function userTexts({ history = [] }: TaskJson): readonly string[] {
  return history.filter(({ role }) => role === 'ROLE_USER').flatMap(textsOf)
}

function textsOf({ parts }: MessageJson): readonly string[] {
  return parts.flatMap((part) => ('text' in part ? [part.text] : []))
}
