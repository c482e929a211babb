import { type Agent, defineAgent } from '@moorage/agent'
import { isTerminal } from '@moorage/protocol'
import type { TaskStore } from '@moorage/store'
import { expect } from 'vitest'
import { createGate } from './gate.js'
import { type Stage, saying, says, stageTest } from './stage.js'

const ROUNDS = 6
/** Longer than the test: no sweep comes to help. */
const LONG_MS = 600_000

/** The store as a process has it that was stopped for a while: it has not heard of what is new, and only its writes tell it. */
function deaf(store: TaskStore): TaskStore {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'read') return async () => []
      if (key === 'follow') return () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) })
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Loses the task's run, whose Activity does not know, and starts another one from what the store has. */
async function rebuild({ run, waker }: Stage, { id }: Agent, taskId: string): Promise<void> {
  await run(taskId).terminate('lost')
  await waker.deliver(id, taskId, [{ position: 1, kind: 'message' }])
}

async function endsOf({ store }: Stage, taskId: string): Promise<readonly [count: number, isLast: boolean]> {
  const log = await store.read(taskId, 0, 100)
  const ends = log.filter((entry) => isTerminal(entry.state))
  return [ends.length, ends[0] === log.at(-1)]
}

stageTest('writes nothing of an Activity whose run was lost, once another run has its turn', async ({ open }) => {
  const overtaken = createGate<void>()
  const refused = createGate<unknown>()
  const agent = defineAgent({
    id: 'zombie',
    async turn(turn) {
      const answer = turn.artifact('answer')
      await answer.append(`attempt ${turn.attempt}`)
      await turn.status(`Attempt ${turn.attempt}`)
      if (turn.attempt > 1) {
        overtaken.resolve()
        await refused.promise
        return turn.complete('New end')
      }
      await overtaken.promise
      await answer.append('late')
      // A step is recorded after what was written before it.
      refused.resolve(await turn.step('late', () => 1).catch((error: unknown) => error))
      return turn.complete('Old end')
    },
  })
  const stage = await open(agent, { worker: false, wakeAfterMs: LONG_MS })
  await stage.startWorker({ store: deaf(stage.store) })
  const { taskId } = await stage.send('go')
  await stage.until(taskId, says('Attempt 1'))
  await rebuild(stage, agent, taskId)
  expect(await refused.promise).toMatchObject({ message: 'This run has been stopped: another attempt has taken over' })
  const task = await stage.ended(taskId)
  expect(saying(task)).toBe('New end')
  expect(task.artifacts).toMatchObject([{ parts: [{ text: 'attempt 2' }] }])
  await stage.history(taskId)
  expect(await endsOf(stage, taskId)).toEqual([1, true])
})

stageTest('ends a task once, whether the lost Activity or the run that replaces it comes first', async ({ open }) => {
  const gates = new Map<string, ReturnType<typeof createGate<void>>>()
  const agent = defineAgent({
    id: 'racer',
    async turn(turn) {
      await turn.artifact('answer').append(`attempt ${turn.attempt}`)
      await turn.status(`Attempt ${turn.attempt}`)
      if (turn.attempt === 1) await gates.get(turn.text)?.promise
      return turn.complete(`End ${turn.attempt}`)
    },
  })
  const stage = await open(agent, { worker: false, wakeAfterMs: LONG_MS })
  await stage.startWorker({ store: deaf(stage.store) })
  for (let round = 1; round <= ROUNDS; round += 1) {
    const gate = createGate<void>()
    gates.set(`${round}`, gate)
    const { taskId } = await stage.send(`${round}`)
    await stage.until(taskId, says('Attempt 1'))
    const rebuilt = rebuild(stage, agent, taskId)
    // Every other time the new run is already on its way.
    if (round % 2 === 0) await rebuilt
    gate.resolve()
    await rebuilt
    const task = await stage.ended(taskId)
    await stage.history(taskId)
    const winner = saying(task).replace('End ', '')
    expect(task.artifacts).toMatchObject([{ parts: [{ text: `attempt ${winner}` }] }])
    expect(await endsOf(stage, taskId)).toEqual([1, true])
  }
})
