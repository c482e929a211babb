import { command, defineAgent } from '@moorage/agent'
import { expect } from 'vitest'
import { createGate } from './gate.js'
import { saying, says, stageTest } from './stage.js'

stageTest('runs a command while a turn is running, without ending it', async ({ open }) => {
  const gate = createGate<void>()
  const stage = await open(
    defineAgent({
      id: 'busy',
      commands: { status: command('What I am doing', async (run) => run.reply(`At work on ${run.args}`)) },
      async turn(turn) {
        await turn.status('Begun')
        await gate.promise
        return turn.complete('Done')
      },
    }),
  )
  const { taskId } = await stage.send('work')
  await stage.until(taskId, says('Begun'))
  const { position } = await stage.send('/status part one', { taskId })
  const reply = await stage.until(taskId, (entry) => entry.replyTo === position)
  expect(reply.state).toBe('TASK_STATE_WORKING')
  expect(says('At work on part one')(reply)).toBe(true)
  gate.resolve()
  expect(saying(await stage.ended(taskId))).toBe('Done')
  await stage.history(taskId, 'command-during-turn')
})

stageTest('answers a command that fails each time with a sentence, and keeps the cause to itself', async ({ open }) => {
  const keys = new Set<string>()
  let runs = 0
  const stage = await open(
    defineAgent({
      id: 'broken',
      commands: {
        fail: command('Fails', (run) => {
          runs += 1
          keys.add(run.key)
          throw new Error('password is swordfish')
        }),
      },
      turn: (turn) => turn.complete(),
    }),
  )
  const { taskId, position } = await stage.send('/fail')
  const reply = await stage.until(taskId, (entry) => entry.replyTo === position)
  expect(says('The command /fail failed 5 times.')(reply)).toBe(true)
  expect(runs).toBe(5)
  expect([...keys]).toEqual([`${taskId}/command/1`])
  const { history } = await stage
    .run(taskId)
    .fetchHistory()
    .then((events) => ({ history: JSON.stringify(events) }))
  expect(history).not.toContain('swordfish')
})

stageTest('lets a command see the task, and a task that only had commands is parked', async ({ open }) => {
  const stage = await open(
    defineAgent({
      id: 'curious',
      commands: { state: command('The state', async (run) => run.reply((await run.task()).status.state)) },
      turn: (turn) => turn.complete('Done'),
    }),
  )
  const { taskId } = await stage.send('/state')
  expect(saying(await stage.parked(taskId, 1))).toBe('TASK_STATE_SUBMITTED')
  await stage.send('now work', { taskId })
  expect(saying(await stage.ended(taskId))).toBe('Done')
})
