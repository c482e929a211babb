import { EventEmitter, once } from 'node:events'
import { type Command, command, defineAgent } from '@moorage/agent'
import { describe, expect, test } from 'vitest'
import { runCommands } from './run-command.js'
import { execution, openTurnStage } from './turn-stage.js'

function agentOf(run: Command['run']) {
  return defineAgent({ id: 'agent', commands: { do: command('Does it', run) }, turn: (turn) => turn.complete() })
}

describe('runCommands', () => {
  test('runs all commands that wait, in their order', async () => {
    const stage = await openTurnStage(
      agentOf((run) => run.reply(`did ${run.args}`)),
      '/do one',
    )
    await stage.send('/do two')
    expect(await runCommands(stage.ports, stage.taskId, execution())).toEqual({ unhandled: [], last: 2, terminal: false })
    expect(await stage.log()).toEqual(['SUBMITTED', 'INPUT_REQUIRED did one', 'INPUT_REQUIRED did two'])
  })

  test('gets who called it, and nothing of what was not noted', async () => {
    const stage = await openTurnStage(
      agentOf(({ sender, annotations, reply }) => reply(JSON.stringify([sender, annotations]))),
      '/do it',
    )
    await runCommands(stage.ports, stage.taskId, execution())
    expect(await stage.log()).toContain('INPUT_REQUIRED [{"tenant":"","subject":"anonymous","participant":"anonymous"},{}]')
  })

  test('stops when the task ends, whether or not the code listens', async () => {
    const aborted: boolean[] = []
    const stage = await openTurnStage(
      agentOf(async (run) => {
        run.signal.addEventListener('abort', () => aborted.push(true))
        await stage.ports.store.transact([stage.taskId], (tx) => tx.end(stage.taskId, 'TASK_STATE_CANCELED'))
        return new Promise(() => {})
      }),
      '/do it',
    )
    expect(await runCommands(stage.ports, stage.taskId, execution())).toEqual({ unhandled: [], last: 1, terminal: true })
    expect(aborted).toEqual([true])
  })

  test.each([
    ['no reply', () => undefined as never],
    ['a reply made by hand and wrongly', () => ({ parts: [{ texts: 'x' }] }) as never],
  ])('answers at once for a command that returns %s', async (_, run) => {
    const stage = await openTurnStage(agentOf(run), '/do it')
    expect(await runCommands(stage.ports, stage.taskId, execution())).toMatchObject({ unhandled: [] })
    expect(await stage.log()).toEqual([
      'SUBMITTED',
      'INPUT_REQUIRED The command /do failed: its code has a mistake, which trying again would not mend.',
    ])
  })

  test('counts what throws, and what takes too long, as errors of the command', async () => {
    let runs = 0
    const stage = await openTurnStage(
      agentOf((run) => {
        runs += 1
        if (runs === 1) throw new Error('stumbled')
        return runs === 2 ? new Promise(() => {}) : run.reply('third time lucky')
      }),
      '/do it',
    )
    await expect(runCommands(stage.ports, stage.taskId, execution())).rejects.toMatchObject({ type: 'CommandFailed' })
    await expect(runCommands(stage.ports, stage.taskId, execution({ timeoutMs: 10 }))).rejects.toMatchObject({ type: 'CommandFailed' })
    await runCommands(stage.ports, stage.taskId, execution())
    expect(await stage.log()).toEqual(['SUBMITTED', 'INPUT_REQUIRED third time lucky'])
  })

  test('leaves a command to the attempt that has it now', async () => {
    const replies: (() => void)[] = []
    const runs = new EventEmitter()
    const stage = await openTurnStage(
      agentOf(async (run) => {
        await new Promise<void>((resolve) => {
          replies.push(resolve)
          runs.emit('begun')
        })
        return run.reply('done')
      }),
      '/do it',
    )
    const runAs = (attempt: number) => runCommands(stage.ports, stage.taskId, execution({ scheduling: { id: 'run/1', attempt } }))
    const begin = async (attempt: number) => {
      const begun = once(runs, 'begun')
      const run = runAs(attempt)
      await begun
      return { run }
    }
    const older = await begin(1)
    const newer = await begin(2)
    replies[0]?.()
    const waits = { unhandled: [{ position: 1, kind: 'command' }], last: 1, terminal: false }
    expect(await older.run).toEqual(waits)
    expect(await runAs(1)).toEqual(waits)
    replies[1]?.()
    expect(await newer.run).toEqual({ unhandled: [], last: 1, terminal: false })
    expect(replies).toHaveLength(2)
  })

  test('leaves a command that fails to the attempt that has it now', async () => {
    let runs = 0
    const stage = await openTurnStage(
      agentOf(async () => {
        runs += 1
        await stage.ports.store.transact([stage.taskId], (tx) => tx.claimCommand(stage.taskId, { id: 'run/2', attempt: 1 }))
        throw new Error('too late')
      }),
      '/do it',
    )
    expect(await runCommands(stage.ports, stage.taskId, execution())).toMatchObject({ unhandled: [{ position: 1 }] })
    expect(runs).toBe(1)
  })

  test('gives a command a key that no turn has', async () => {
    const keys: string[] = []
    const stage = await openTurnStage(
      agentOf((run) => {
        keys.push(run.key)
        return run.reply('done')
      }),
      '/do it',
    )
    await runCommands(stage.ports, stage.taskId, execution())
    expect(keys).toEqual([`${stage.taskId}/command/1`])
  })

  test('answers a command that the agent has given up', async () => {
    const stage = await openTurnStage(
      agentOf((run) => run.reply('done')),
      '/do it',
    )
    const agent = defineAgent({ id: 'agent', turn: (turn) => turn.complete() })
    await runCommands({ ...stage.ports, agent }, stage.taskId, execution())
    expect(await stage.log()).toEqual(['SUBMITTED', 'INPUT_REQUIRED This agent does not know /do any more.'])
  })
})
