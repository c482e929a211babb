import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { command, defineAgent } from '@moorage/agent'
import { createRedactor } from '@moorage/inbox'
import { cancel, receive } from '@moorage/inbox/receive'
import { isTerminal } from '@moorage/protocol'
import { ANONYMOUS, type TaskStore } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { SILENT } from '../logger.js'
import { lookAgain } from './remaining.js'
import { runCommands } from './run-command.js'
import { runTurn } from './run-turn.js'
import { execution } from './turn-stage.js'

const REDACTOR = createRedactor()

const RUNS = 100
/** More rounds of work than any race leaves. */
const MOST_ROUNDS = 10

const agent = defineAgent({
  id: 'racer',
  commands: { status: command('How it is', (run) => run.reply('Well')) },
  async turn(turn) {
    const answer = turn.artifact('answer')
    await answer.append(`${turn.key}/${turn.attempt} begun`)
    await turn.step('pause', () => null)
    await answer.append(`${turn.key}/${turn.attempt} done`)
    return turn.text.includes('last') ? turn.complete('Done') : turn.park('More?')
  },
})

/**
 * What may happen to a task at once. Executions of Activities: two attempts of one scheduling, and one of a run that was started again, whose
 * Temporal knows nothing of the others; and clients.
 */
const ACTORS = {
  'a turn': (store, taskId) =>
    runTurn({ store, agent, logger: SILENT, redactor: REDACTOR }, taskId, execution({ scheduling: { id: 'old', attempt: 1 } })),
  'the same turn': (store, taskId) =>
    runTurn({ store, agent, logger: SILENT, redactor: REDACTOR }, taskId, execution({ scheduling: { id: 'old', attempt: 2 } })),
  'a rebuilt turn': (store, taskId) =>
    runTurn({ store, agent, logger: SILENT, redactor: REDACTOR }, taskId, execution({ scheduling: { id: 'new', attempt: 1 } })),
  commands: (store, taskId) =>
    runCommands({ store, agent, logger: SILENT, redactor: REDACTOR }, taskId, execution({ scheduling: { id: 'old', attempt: 1 } })),
  'rebuilt commands': (store, taskId) =>
    runCommands({ store, agent, logger: SILENT, redactor: REDACTOR }, taskId, execution({ scheduling: { id: 'new', attempt: 1 } })),
  'a look': lookAgain,
  'a message': (store, taskId) => send(store, 'more', taskId),
  'the last message': (store, taskId) => send(store, 'last', taskId),
  'a command': (store, taskId) => send(store, '/status', taskId),
  'a cancel': (store, taskId) => cancel(store, agent.id, ANONYMOUS, taskId),
} as const satisfies Record<string, (store: TaskStore, taskId: string) => Promise<unknown>>

let messages = 0

function send(store: TaskStore, text: string, taskId?: string) {
  messages += 1
  const message = { messageId: `m${messages}`, role: 'ROLE_USER', parts: [{ text }], ...(taskId && { taskId }) } as const
  return receive(store, { agent: agent.id, commands: new Set(['status']) }, ANONYMOUS, message)
}

async function openReplicas(): Promise<readonly [TaskStore, TaskStore]> {
  const dir = await mkdtemp(join(tmpdir(), 'moorage-races-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  // Every wake is due at once, so that a sweep always finds what is marked.
  const open = () => openSqliteStore({ path: join(dir, 'store.db'), wakeAfterMs: 0, acceptDeadlineMs: 60_000 })
  const stores = [await open(), await open()] as const
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))))
  return stores
}

/**
 * The store of somebody whose every question waits until the scheduler lets it begin, and who hears of nothing: as in a process that was stopped
 * for a while, only what becomes of its writes tells it that it was overtaken.
 */
function paced(store: TaskStore, scheduler: fc.Scheduler, name: string): TaskStore {
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      if (key === 'follow') return () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) })
      if (key === 'read') return async () => []
      return (...args: readonly unknown[]) => inTurn(scheduler, `${name}: ${String(key)}`, async () => Reflect.apply(value, target, args))
    },
  })
}

/** Before the scheduler chooses again, everybody has come to what they ask next. */
async function settled(act: () => Promise<void>): Promise<void> {
  await act()
  for (let tick = 0; tick < 3; tick += 1) await setImmediate()
}

/** The scheduler lets nothing else begin until it has ended. */
async function inTurn<T>(scheduler: fc.Scheduler, label: string, ask: () => Promise<T>): Promise<T> {
  let asked: Promise<T> | undefined
  const builder = async (): Promise<void> => {
    asked = ask()
    await asked.catch(() => {})
  }
  await scheduler.scheduleSequence([{ label, builder }]).task
  return asked ?? expect.unreachable('The scheduler has not begun it')
}

/** Does what a sweep finds, as often as it finds something. */
async function workOff(store: TaskStore, taskId: string): Promise<void> {
  const isDue = async () => (await store.claimDue([agent.id], 1000)).some((due) => due.taskId === taskId)
  for (let round = 1; await isDue(); round += 1) {
    expect(round).toBeLessThan(MOST_ROUNDS)
    for (const actor of ['rebuilt commands', 'a rebuilt turn', 'a look'] as const) await ACTORS[actor](store, taskId)
  }
}

async function checkTask(store: TaskStore, taskId: string): Promise<void> {
  const [snapshot, log] = await Promise.all([store.get(taskId), store.read(taskId, 0, 1000)])
  const { record, task } = snapshot ?? expect.unreachable('There is no such task')
  expect(record.handled).toBe(record.position)
  const ends = log.filter(({ state }) => isTerminal(state)).map(({ seq }) => seq)
  expect(ends).toEqual(isTerminal(record.state) ? [log.length] : [])
  const answered = log.flatMap(({ replyTo }) => replyTo ?? [])
  expect(new Set(answered).size).toBe(answered.length)
  const chunks = (task.artifacts ?? []).flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')))
  expect(new Set(chunks).size).toBe(chunks.length)
  const halves = chunks.filter((chunk) => chunk.endsWith('done')).map((chunk) => chunk.replace('done', 'begun'))
  expect(chunks).toEqual(expect.arrayContaining(halves))
  // Only a cancel leaves a turn half done, and only the last.
  if (record.state !== 'TASK_STATE_CANCELED') expect(chunks).toHaveLength(2 * halves.length)
}

test('whoever runs, overtakes, asks and cancels at once: one end, nothing twice and nothing lost', async () => {
  const stores = await openReplicas()
  const actor = fc.constantFrom(...(Object.keys(ACTORS) as (keyof typeof ACTORS)[]), 'a turn', 'the same turn', 'a rebuilt turn')
  const actors = fc.array(fc.tuple(actor, fc.constantFrom<0 | 1>(0, 1)), { minLength: 2, maxLength: 7 })
  const property = fc.asyncProperty(fc.scheduler(), actors, fc.constantFrom('first', '/status', 'last'), async (scheduler, cast, first) => {
    const reception = await send(stores[0], first)
    if (reception.result === 'refused') throw new Error(reception.reason)
    const { taskId } = reception.receipt
    const played = cast.map(([name, replica]) => ACTORS[name](paced(stores[replica], scheduler, name), taskId))
    await scheduler.waitFor(Promise.all(played), settled)
    // What code that was left behind still had to say.
    await scheduler.waitIdle(settled)
    await workOff(stores[0], taskId)
    await checkTask(stores[1], taskId)
  })
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: 30_000 })
}, 120_000)
