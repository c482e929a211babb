import { EventEmitter, once } from 'node:events'
import { command, defineAgent } from '@moorage/agent'
import { expect, test } from 'vitest'
import { runCommands } from './run-command.js'
import { runTurn } from './run-turn.js'
import { execution, openTurnStage } from './turn-stage.js'

const agent = defineAgent({
  id: 'beating',
  commands: { status: command('Says how it is', (run) => run.reply('fine')) },
  turn: (turn) => turn.complete(),
})

test.each([
  ['turn', 'go', runTurn],
  ['command', '/status', runCommands],
] as const)('a %s whose beginning waits for the store is not taken for lost', async (_lane, text, run) => {
  const stage = await openTurnStage(agent, text)
  const unlock = await stage.lock()
  const beats = new EventEmitter()
  const running = run(stage.ports, stage.taskId, execution({ beatMs: 10, beat: () => void beats.emit('beat') }))
  await once(beats, 'beat')
  await unlock()
  expect((await running).unhandled).toEqual([])
})
