import { command, defineAgent } from '@moorage/agent'
import { describe, expect, test } from 'vitest'
import { runCommands } from './run-command.js'
import { runTurn } from './run-turn.js'
import { execution, IMPATIENT, openTurnStage } from './turn-stage.js'

/** How long the code may run, and for how much longer than that the store is away once the code has returned. */
const TIMEOUT_MS = 1000
const OUTAGE_MS = 1500

describe('runAttempt', () => {
  test('lets the time to record a turn that has ended not count as the time of its code', async () => {
    let runs = 0
    const stage = await openTurnStage(
      defineAgent({
        id: 'agent',
        async turn(turn) {
          runs += 1
          const unlock = await stage.lock()
          setTimeout(() => void unlock(), OUTAGE_MS)
          void turn.artifact('answer').append('paid work')
          return turn.complete('done')
        },
      }),
      'go',
      IMPATIENT,
    )
    expect(await runTurn(stage.ports, stage.taskId, execution({ timeoutMs: TIMEOUT_MS }))).toMatchObject({ terminal: true })
    expect(await stage.log()).toEqual(['SUBMITTED', 'WORKING', 'answer: paid work', 'COMPLETED done'])
    expect(runs).toBe(1)
  })

  test('lets the time to record a reply not count as the time of its command', async () => {
    const stage = await openTurnStage(
      defineAgent({
        id: 'agent',
        commands: {
          do: command('Does it', async (run) => {
            const unlock = await stage.lock()
            setTimeout(() => void unlock(), OUTAGE_MS)
            return run.reply('done')
          }),
        },
        turn: (turn) => turn.complete(),
      }),
      '/do it',
      IMPATIENT,
    )
    await runCommands(stage.ports, stage.taskId, execution({ timeoutMs: TIMEOUT_MS }))
    expect(await stage.log()).toEqual(['SUBMITTED', 'INPUT_REQUIRED done'])
  })

  test('still hands a turn back when the worker shuts down while it is recorded', async () => {
    const worker = new AbortController()
    const stage = await openTurnStage(
      defineAgent({
        id: 'agent',
        async turn(turn) {
          const unlock = await stage.lock()
          setTimeout(() => worker.abort(new Error('WORKER_SHUTDOWN')), 100)
          worker.signal.addEventListener('abort', () => void unlock())
          return turn.complete('done')
        },
      }),
      'go',
      IMPATIENT,
    )
    const run = runTurn(stage.ports, stage.taskId, execution({ cancellation: worker.signal }))
    await expect(run).rejects.toMatchObject({ type: 'WorkerShutdown' })
  })
})
