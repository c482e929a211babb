import { type Agent, defineAgent } from '@moorage/agent'
import { createWaker, type TaskWaker } from '@moorage/workflow/client'
import { describe, expect, onTestFinished } from 'vitest'
import { openPostgres } from './open-postgres.js'
import { type Stage, type StoreOpener, stageTest } from './stage.js'

/** More than one round of the sweep claims, and what comes while the sweeps are at it. */
const BEFORE = 70
const MEANWHILE = 30
/** Longer than the test: what is claimed once is not due again. */
const LONG_MS = 600_000

const databases: readonly (readonly [string, { readonly openStore?: StoreOpener }])[] = [
  ['SQLite', {}],
  ['Postgres', { openStore: openPostgres }],
]

/** A wake that is lost is soon repeated by a sweep. */
const SOON_MS = 5000
/** After this, a wake counts as lost, which no sweep repeats in time. */
const LOST_MS = 30_000
/**
 * A busy server loses turns between itself and the worker, and notices it by this; but it must not take for lost what only runs slowly, since
 * that would run twice.
 */
const policy = { heartbeatTimeoutMs: 40_000 }

/** One more process: a store, a waker and a worker of its own. `swept` gets the tasks that its sweep wakes. */
async function startProcess(stage: Stage, agent: Agent, wakeAfterMs: number, swept: string[] = []): Promise<TaskWaker> {
  const store = await stage.openStore({ wakeAfterMs })
  const waker = createWaker({ temporal: stage.temporal, storeId: store.id, policy })
  onTestFinished(() => waker.close())
  const deliver: TaskWaker['deliver'] = (id, taskId, unhandled) => {
    swept.push(taskId)
    return waker.deliver(id, taskId, unhandled)
  }
  await stage.startWorker({ store, agents: [agent], waker: { ...waker, deliver }, sweepIntervalMs: 10 })
  return waker
}

/** Resolves once the task has ended. Wakes it by hand where its wake was lost, as it may be: what is shown here is that none came twice. */
async function endedAtLast(stage: Stage, agent: Agent, taskId: string): Promise<void> {
  const again = setInterval(() => stage.waker.wake(agent.id, taskId, [{ position: 1, kind: 'message' }]), LOST_MS)
  await stage.ended(taskId).finally(() => clearInterval(again))
}

describe.each(databases)('two workers on %s', (_, database) => {
  stageTest('sweep at once and wake no task twice', async ({ open }) => {
    const runs: string[] = []
    const swept: string[] = []
    const agent = defineAgent({
      id: 'counter',
      turn: (turn) => {
        runs.push(turn.taskId)
        return turn.complete('Counted')
      },
    })
    const stage = await open(agent, { ...database, worker: false, wakeAfterMs: 0, policy })
    const accept = (count: number) => Promise.all(Array.from({ length: count }, () => stage.send('count me', { wake: false })))
    const before = await accept(BEFORE)
    await Promise.all([startProcess(stage, agent, LONG_MS, swept), startProcess(stage, agent, LONG_MS, swept)])
    const meanwhile = await accept(MEANWHILE)
    const tasks = [...before, ...meanwhile].map(({ taskId }) => taskId).sort()
    await Promise.all(tasks.map((taskId) => endedAtLast(stage, agent, taskId)))
    expect(swept.sort()).toEqual(tasks)
    expect(runs.sort()).toEqual(tasks)
  })

  stageTest('run nothing twice that both are woken for, again and again', async ({ open }) => {
    const heard: string[] = []
    const agent = defineAgent({
      id: 'listener',
      lifecycle: 'conversation',
      turn: (turn) => {
        heard.push(...turn.text.split('\n'))
        return turn.park()
      },
    })
    const stage = await open(agent, { ...database, worker: false, policy })
    const wakers = await Promise.all([startProcess(stage, agent, SOON_MS), startProcess(stage, agent, SOON_MS)])
    const { taskId } = await stage.send('message 1', { wake: false })
    const wakeAll = (position: number): Promise<unknown> => {
      const unhandled = [{ position, kind: 'message' }] as const
      return Promise.all([...wakers, ...wakers].map((waker) => waker.deliver('listener', taskId, unhandled)))
    }
    for (let position = 1; position <= 20; position += 1) {
      if (position > 1) await stage.send(`message ${position}`, { taskId, wake: false })
      await Promise.all([wakeAll(position), stage.parked(taskId, position)])
      await wakeAll(position)
    }
    await Promise.all(wakers.map((waker) => waker.idle()))
    expect(heard).toEqual(Array.from({ length: 20 }, (_, index) => `message ${index + 1}`))
  })
})
