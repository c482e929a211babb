import { type AgentOptions, defineAgent } from '@moorage/agent'
import { expect, test } from 'vitest'
import type { Logger } from '../logger.js'
import { runTurn } from './run-turn.js'
import { execution, openTurnStage } from './turn-stage.js'

const replier = (options: Partial<AgentOptions> = {}) =>
  defineAgent({ id: 'agent', reply: 'message-when-direct', ...options, turn: (turn) => turn.reply(`hello, ${turn.text}`) })

test('turn.reply in the first turn of a direct task answers with a Message', async () => {
  const stage = await openTurnStage(replier(), 'go', { direct: true })
  expect(await runTurn(stage.ports, stage.taskId, execution())).toEqual({ unhandled: [], last: 1, terminal: true })
  expect(await stage.ports.store.get(stage.taskId)).toMatchObject({
    record: { direct: 'answered' },
    task: { status: { state: 'TASK_STATE_COMPLETED', message: { role: 'ROLE_AGENT', parts: [{ text: 'hello, go' }] } } },
  })
  // The attempt after one that could not tell its end runs nothing.
  expect(await runTurn(stage.ports, stage.taskId, execution({ scheduling: { id: 'run/1', attempt: 2 } }))).toMatchObject({ terminal: true })
})

test('turn.reply completes every other task, and parks a conversation', async () => {
  const task = await openTurnStage(replier())
  await runTurn(task.ports, task.taskId, execution())
  expect(await task.log()).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED hello, go'])
  const conversation = await openTurnStage(replier({ lifecycle: 'conversation' }))
  await runTurn(conversation.ports, conversation.taskId, execution())
  expect(await conversation.log()).toEqual(['SUBMITTED', 'WORKING', 'INPUT_REQUIRED hello, go'])
})

test('turn.reply without the option is a mistake that the log tells, and ends the task', async () => {
  const told: unknown[] = []
  const logger = {
    error: (fields: { readonly err?: unknown }) => told.push(fields.err),
    debug() {},
    info() {},
    warn() {},
  } as unknown as Logger
  const stage = await openTurnStage(replier({ reply: 'task' }))
  await runTurn({ ...stage.ports, logger }, stage.taskId, execution())
  expect((await stage.task()).status.state).toBe('TASK_STATE_FAILED')
  expect(told.map(String)).toEqual([
    "TypeError: turn.reply: give the agent reply: 'message-when-direct' in defineAgent, or return turn.complete(…)",
  ])
})
