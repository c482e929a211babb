import { defineAgent } from '@moorage/agent'
import { expect, test } from 'vitest'
import { runTurn } from './run-turn.js'
import { execution, openTurnStage } from './turn-stage.js'

test('turn.requireAuth ends the turn AUTH_REQUIRED with its message, whose metadata names the scheme', async () => {
  const agent = defineAgent({
    id: 'agent',
    turn: (turn) => (turn.text === 'go' ? turn.requireAuth('calendar', 'Let me read your calendar.') : turn.complete(`heard ${turn.text}`)),
  })
  const stage = await openTurnStage(agent)
  expect(await runTurn(stage.ports, stage.taskId, execution())).toEqual({ unhandled: [], last: 1, terminal: false })
  expect((await stage.task()).status).toMatchObject({
    state: 'TASK_STATE_AUTH_REQUIRED',
    message: { role: 'ROLE_AGENT', parts: [{ text: 'Let me read your calendar.' }], metadata: { authScheme: 'calendar' } },
  })
  await stage.send('granted')
  await runTurn(stage.ports, stage.taskId, execution())
  expect(await stage.log()).toEqual([
    ...['SUBMITTED', 'WORKING', 'AUTH_REQUIRED Let me read your calendar.'],
    ...['WORKING', 'COMPLETED heard granted'],
  ])
})

test.each<[string, unknown, unknown]>([
  ['an empty text', 'calendar', ''],
  ['blank texts', 'calendar', [{ text: ' ' }, { text: '\n' }]],
  ['no parts', 'calendar', []],
  ['nothing', 'calendar', undefined],
  ['an empty scheme', ' ', 'Let me read your calendar.'],
  ['no scheme', undefined, 'Let me read your calendar.'],
])('turn.requireAuth refuses %s with a TypeError', async (_, scheme, message) => {
  const faults: unknown[] = []
  const stage = await openTurnStage(
    defineAgent({
      id: 'agent',
      turn(turn) {
        try {
          return turn.requireAuth(scheme as string, message as string)
        } catch (error) {
          faults.push(error)
          return turn.complete()
        }
      },
    }),
  )
  await runTurn(stage.ports, stage.taskId, execution())
  expect(faults).toEqual([expect.any(TypeError)])
  expect(String(faults[0])).toMatch(/turn\.requireAuth: (scheme|message) must/)
})
