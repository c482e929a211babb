import { command, defineAgent, type Outcome } from '@moorage/agent'
import { expect } from 'vitest'
import { saying, stageTest } from '../workflow/stage.js'

const FIVE_MB = 'x'.repeat(5_000_000)
const MOST_HISTORY_BYTES = 60_000
/** What one write may have. */
const MAX_CHARACTERS = 32 * 1024 * 1024

const longNamed = 'n'.repeat(256)

/** What an attempt at the turn comes to. */
const FAILURES: readonly (() => unknown)[] = [
  () => {
    const error = new Error(FIVE_MB)
    error.stack = `Error: ${FIVE_MB}\n    at ${FIVE_MB}`
    throw error
  },
  () => {
    throw FIVE_MB
  },
  () => FIVE_MB,
]

stageTest('errors of 5 MB, and an answer that is none, fail the task, and are told to nobody', async ({ open }) => {
  const attempts: number[] = []
  const agent = defineAgent({
    id: 'failing',
    turn({ attempt }) {
      attempts.push(attempt)
      return FAILURES[attempt - 1]?.() as Outcome
    },
  })
  const stage = await open(agent)
  const { taskId } = await stage.send('go')
  const task = await stage.ended(taskId)
  expect(attempts).toEqual([1, 2, 3])
  expect(task.status.state).toBe('TASK_STATE_FAILED')
  expect(saying(task).length).toBeLessThan(200)
  expect(JSON.stringify(await stage.history(taskId)).length).toBeLessThan(MOST_HISTORY_BYTES)
})

stageTest('steps, statuses, replies and names as long as they may be stay out of the history of a run', async ({ open }) => {
  const agent = defineAgent({
    id: 'verbose',
    commands: { long: command('Says much', (run) => run.reply(FIVE_MB)) },
    async turn(turn) {
      await turn.step(longNamed, () => ({ value: FIVE_MB }))
      await turn.artifact(longNamed, { name: longNamed, description: FIVE_MB }).append('x')
      await turn.status(FIVE_MB)
      return turn.complete(FIVE_MB)
    },
  })
  const stage = await open(agent)
  const { taskId } = await stage.send('go')
  await stage.send('/long', { taskId })
  const task = await stage.ended(taskId)
  expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  expect(saying(task).length).toBe(FIVE_MB.length)
  expect(JSON.stringify(await stage.history(taskId)).length).toBeLessThan(MOST_HISTORY_BYTES)
})

stageTest('more than one write may have is refused to the agent by name, and ends the task', async ({ open }) => {
  const told: string[] = []
  const huge = 'x'.repeat(MAX_CHARACTERS + 1)
  const agent = defineAgent({
    id: 'huge',
    async turn(turn) {
      for (const write of [
        () => turn.artifact('a').append(huge),
        () => turn.status(huge),
        () => turn.step('s', () => huge),
        () => turn.complete(huge),
      ]) {
        try {
          await write()
        } catch (error) {
          told.push((error as Error).message)
        }
      }
      return turn.fail(huge)
    },
  })
  const stage = await open(agent)
  const { taskId } = await stage.send('go')
  const task = await stage.ended(taskId)
  expect(task.status.state).toBe('TASK_STATE_FAILED')
  expect(told).toEqual([
    'turn.artifact("a"): give at most 33554432 characters at once; write more of it in several pieces',
    'turn.status: give at most 33554432 characters at once; write more of it in several pieces',
    'turn.step("s"): the value may have at most 33554432 characters as JSON',
    'turn.complete: give at most 33554432 characters at once; write more of it in several pieces',
  ])
})

stageTest('takes a wake with 3,000 positions', async ({ open }) => {
  const heard: number[] = []
  const agent = defineAgent({
    id: 'counter',
    turn(turn) {
      heard.push(turn.messages.length)
      return turn.complete()
    },
  })
  const stage = await open(agent)
  const { taskId } = await stage.send('go', { wake: false })
  await stage.waker.deliver(
    'counter',
    taskId,
    Array.from({ length: 3000 }, (_, index) => ({ position: index + 1, kind: 'message' })),
  )
  expect((await stage.ended(taskId)).status.state).toBe('TASK_STATE_COMPLETED')
  expect(heard).toEqual([1])
})
