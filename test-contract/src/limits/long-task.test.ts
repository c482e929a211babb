import { defineAgent } from '@moorage/agent'
import { serve } from '@moorage/server/node'
import { isPublic, type LogEntry } from '@moorage/store'
import { expect, onTestFinished, vi } from 'vitest'
import { openStream, type RawEvent } from '../raw-stream.js'
import { createGate } from '../workflow/gate.js'
import { eventTypes, type History } from '../workflow/history.js'
import { type Stage, stageTest } from '../workflow/stage.js'
import { startLimitedEngine } from './limited-engine.js'
import { openReplica } from './replica.js'

const WAVES = 12
const MESSAGES_A_WAVE = 250
const MESSAGES = 1 + WAVES * MESSAGES_A_WAVE
const STATUSES_A_MESSAGE = 5
const SUGGESTED_EVENTS = 30
/** What a run does after it was told that its history is long: one Activity in each lane comes to its end, while wakes come. */
const MOST_EVENTS = 200
const MOST_HISTORY_BYTES = 100_000

stageTest('carries 3,000 messages and 20,000 entries of one task over several runs, without a gap for anybody', async ({ open }) => {
  const engine = await startLimitedEngine({ 'limit.historyCount.suggestContinueAsNew': SUGGESTED_EVENTS })
  onTestFinished(() => engine.stop())
  const heard: string[] = []
  let acknowledged = 1
  let more = createGate()
  const acknowledge = (count: number): void => {
    acknowledged += count
    more.resolve()
    more = createGate()
  }
  const agent = defineAgent({
    id: 'scribe',
    lifecycle: 'conversation',
    async turn(turn) {
      for (const text of turn.text.split('\n')) {
        heard.push(text)
        await turn.artifact('words').append(`${text} `)
        for (let status = 1; status <= STATUSES_A_MESSAGE; status += 1) await turn.status(`${text}/${status}`)
      }
      // Messages so always wait when a turn ends: a run with a long history is continued, and does not end.
      while (acknowledged <= heard.length) await more.promise
      return turn.park()
    },
  })
  const stage = await open(agent, { address: engine.address })
  const replica = await openReplica(stage, agent)
  const { taskId } = await stage.send('first')
  await stage.until(taskId, ({ state }) => state === 'TASK_STATE_WORKING')
  const { runId } = await stage.run(taskId).describe()
  const { url } = await serve(replica.harness, { port: 0 })
  const fromStart = collect(openStream(url, 'JSONRPC', 'SubscribeToTask', { id: taskId }, { lastEventId: 0 }))
  const attached = collect(openStream(url, 'HTTP+JSON', 'SubscribeToTask', { id: taskId }))
  for (let wave = 1; wave <= WAVES; wave += 1) {
    const texts = Array.from({ length: MESSAGES_A_WAVE }, (_, index) => `${wave}.${index}`)
    const configuration = { returnImmediately: true, historyLength: 0 }
    const answers = await Promise.all(texts.map((text) => replica.send('HTTP+JSON', { taskId, parts: [{ text }] }, configuration)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    acknowledge(MESSAGES_A_WAVE)
    await vi.waitUntil(() => heard.length > (wave - 1) * MESSAGES_A_WAVE, { timeout: 170_000, interval: 5 })
  }
  acknowledge(1)
  await stage.parked(taskId, MESSAGES)
  await stage.cancel(taskId)
  const log = await readAll(stage, taskId)

  expect(heard).toHaveLength(MESSAGES)
  expect(new Set(heard).size).toBe(heard.length)
  expect(log.length).toBeGreaterThan(20_000)
  expect(log.every(({ seq }, index) => seq === index + 1)).toBe(true)
  const told = log.filter(isPublic).map(({ seq, payload }) => ({ id: seq, payload }))
  expectSame(await fromStart, told)
  const [task, ...updates] = await attached
  expect(task?.payload).toHaveProperty('task')
  expectSame(updates, told.slice(told.findIndex(({ id }) => id > (task?.id ?? 0))))

  await replica.waker.idle()
  const runs = await historiesFrom(stage, taskId, runId)
  expect(runs.length).toBeGreaterThan(2)
  for (const run of runs) {
    expect(eventTypes(run).length).toBeLessThan(MOST_EVENTS)
    expect(JSON.stringify(run).length).toBeLessThan(MOST_HISTORY_BYTES)
  }
})

async function readAll({ store }: Stage, taskId: string): Promise<readonly LogEntry[]> {
  const log: LogEntry[] = []
  for (let page = await store.read(taskId, 0, 1000); page.length > 0; page = await store.read(taskId, log.length, 1000)) log.push(...page)
  return log
}

async function collect(stream: AsyncIterable<RawEvent>): Promise<readonly RawEvent[]> {
  const events: RawEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** As text, since a comparison of so many objects takes longer than all the rest. */
function expectSame(events: readonly RawEvent[], told: readonly object[]): void {
  const text = (some: readonly object[]): string => some.map((one) => JSON.stringify(one)).join('\n')
  expect(text(events) === text(told)).toBe(true)
}

/** The histories of the run and of those that it was continued as. */
async function historiesFrom(stage: Stage, taskId: string, first: string): Promise<readonly History[]> {
  const histories: History[] = []
  for (let runId: string | null | undefined = first; runId; ) {
    const history: History = await stage.client.workflow.getHandle(stage.run(taskId).workflowId, runId).fetchHistory()
    histories.push(history)
    runId = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId
  }
  return histories
}
