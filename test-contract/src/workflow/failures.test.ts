import { defineAgent, type Outcome } from '@moorage/agent'
import { isTerminal } from '@moorage/protocol'
import { expect } from 'vitest'
import { createGate } from './gate.js'
import { saying, says, stageTest } from './stage.js'

const BEATEN = 'The agent could not handle the message: its code failed 5 times.'

stageTest('fails the task when the code of the agent has thrown five times, and keeps the cause to itself', async ({ open }) => {
  const attempts: number[] = []
  const stage = await open(
    defineAgent({
      id: 'thrower',
      async turn(turn) {
        attempts.push(turn.attempt)
        await turn.artifact('draft').append(`try ${turn.attempt}`)
        throw new Error('password is swordfish')
      },
    }),
  )
  const { taskId } = await stage.send('tell nobody')
  const task = await stage.ended(taskId)
  expect(task.status.state).toBe('TASK_STATE_FAILED')
  expect(saying(task)).toBe(BEATEN)
  expect(attempts).toEqual([1, 2, 3, 4, 5])
  const kept = JSON.stringify(await stage.history(taskId, 'failed-turn'))
  expect(kept).not.toContain('swordfish')
  expect(kept).not.toContain('tell nobody')
  expect(kept).not.toContain('.ts')
})

stageTest('takes back what a failed attempt wrote, and completes with the next one', async ({ open }) => {
  const stage = await open(
    defineAgent({
      id: 'stumbler',
      async turn(turn) {
        await turn.artifact('draft').append(`try ${turn.attempt}`)
        if (turn.attempt === 1) throw new Error('stumbled')
        return turn.complete()
      },
    }),
  )
  const { taskId } = await stage.send('go')
  const task = await stage.ended(taskId)
  expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  expect(task.artifacts?.[0]?.parts).toEqual([{ text: 'try 2' }])
})

stageTest('fails the task at once when the code of the agent returns no outcome', async ({ open }) => {
  let runs = 0
  const stage = await open(
    defineAgent({
      id: 'forgetful',
      turn: () => {
        runs += 1
        return undefined as unknown as Outcome
      },
    }),
  )
  const { taskId } = await stage.send('go')
  const task = await stage.ended(taskId)
  expect(task.status.state).toBe('TASK_STATE_FAILED')
  expect(saying(task)).toBe('The agent could not handle the message: its code has a mistake, which trying again would not mend.')
  expect(runs).toBe(1)
})

stageTest('stops a turn whose time is up, although its code does not listen', async ({ open }) => {
  const stage = await open(
    defineAgent({
      id: 'sleeper',
      turn: (turn) => (turn.attempt === 1 ? new Promise<Outcome>(() => {}) : turn.complete('Awake')),
    }),
    { policy: { turnTimeoutMs: 2000 } },
  )
  const { taskId } = await stage.send('go')
  expect(saying(await stage.ended(taskId))).toBe('Awake')
})

stageTest('ends a canceled turn at once, and refuses what its code writes afterwards', async ({ open }) => {
  const gate = createGate<void>()
  const afterwards = createGate<unknown>()
  const stage = await open(
    defineAgent({
      id: 'deaf',
      async turn(turn) {
        await turn.status('Begun')
        await gate.promise
        afterwards.resolve(
          await turn
            .artifact('late')
            .append('late')
            .catch((error: unknown) => error),
        )
        return turn.complete('Too late')
      },
    }),
  )
  const { taskId } = await stage.send('go')
  await stage.until(taskId, says('Begun'))
  await stage.cancel(taskId)
  // The run ends while the code of the agent still hangs.
  await stage.history(taskId)
  gate.resolve()
  expect(await afterwards.promise).toMatchObject({ name: 'StoppedError', message: 'This run has been stopped: the task has ended' })
  const task = await stage.ended(taskId)
  expect(task.status.state).toBe('TASK_STATE_CANCELED')
  expect(task.artifacts ?? []).toEqual([])
  const log = await stage.store.read(taskId, 0, 100)
  expect(log.findIndex((entry) => isTerminal(entry.state))).toBe(log.length - 1)
})

stageTest('hands a running turn to another worker when its own stops, which counts as no error', async ({ open }) => {
  const attempts: number[] = []
  const stage = await open(
    defineAgent({
      id: 'wanderer',
      async turn(turn) {
        attempts.push(turn.attempt)
        await turn.status(`Attempt ${turn.attempt}`)
        if (turn.attempt <= 6) await new Promise<void>(() => {})
        return turn.complete('Arrived')
      },
    }),
    { worker: false },
  )
  let worker = await stage.startWorker()
  const { taskId } = await stage.send('go')
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    await stage.until(taskId, says(`Attempt ${attempt}`))
    await worker.stop()
    worker = await stage.startWorker()
  }
  expect(saying(await stage.ended(taskId))).toBe('Arrived')
  expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7])
})
