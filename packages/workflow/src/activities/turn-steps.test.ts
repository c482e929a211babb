import { defineAgent, type Outcome, type Turn } from '@moorage/agent'
import type { TaskStore } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { runTurn } from './run-turn.js'
import { execution, openTurnStage } from './turn-stage.js'

/** Runs a turn, and once more after its first attempt has failed. */
async function runTwice(turn: (turn: Turn) => Promise<Outcome>) {
  const stage = await openTurnStage(defineAgent({ id: 'agent', turn }))
  await runTurn(stage.ports, stage.taskId, execution()).catch(() => {})
  await runTurn(stage.ports, stage.taskId, execution({ scheduling: { id: 'run/1', attempt: 2 } }))
  return stage
}

async function faultOf(work: () => Promise<unknown>): Promise<string> {
  return work().then(() => 'none', String)
}

describe('TurnSteps', () => {
  test.each<[string, (turn: Turn) => Promise<void>]>([
    ['turn.artifact("a").append', (turn) => turn.artifact('a').append('lost')],
    ['turn.artifact("a").replace', (turn) => turn.artifact('a').replace('lost')],
    ['turn.status', (turn) => turn.status('lost')],
  ])('refuses %s inside a step, which a retry would lose, also where nobody awaits it', async (call, write) => {
    const faults: string[] = []
    const stage = await openTurnStage(
      defineAgent({
        id: 'agent',
        async turn(turn) {
          faults.push(await faultOf(() => turn.step('awaited', async () => write(turn))))
          faults.push(await faultOf(() => turn.step('left alone', () => void write(turn))))
          faults.push(await faultOf(() => turn.step('outer', () => turn.step('inner', () => write(turn)))))
          await write(turn)
          return turn.complete()
        },
      }),
    )
    await runTurn(stage.ports, stage.taskId, execution())
    const because = `${call} inside turn.step`
    expect(faults).toEqual([
      expect.stringContaining(`TypeError: ${because}("awaited")`),
      expect.stringContaining(`TypeError: ${because}("left alone")`),
      expect.stringContaining(`TypeError: ${because}("inner")`),
    ])
    expect((await stage.log()).filter((entry) => entry.includes('lost'))).toHaveLength(1)
  })

  test('runs the steps of an earlier turn anew, under keys of their own, after the client has answered', async () => {
    const keys: string[] = []
    const stage = await openTurnStage(
      defineAgent({
        id: 'agent',
        async turn(turn) {
          const value = await turn.step('load', ({ key }) => keys.push(key))
          if (turn.attempt === 1) throw new Error('stumbled')
          return turn.text === 'go' ? turn.ask('Which?') : turn.complete(`${value}`)
        },
      }),
    )
    const run = (id: string, attempt: number) => runTurn(stage.ports, stage.taskId, execution({ scheduling: { id, attempt } }))
    for (const id of ['run/1', 'run/2']) {
      await expect(run(id, 1)).rejects.toMatchObject({ type: 'TurnFailed' })
      await run(id, 2)
      if (id === 'run/1') await stage.send('north')
    }
    expect(keys).toEqual([`${stage.taskId}/turn/1/load`, `${stage.taskId}/turn/2/load`])
    expect((await stage.log()).at(-1)).toBe('COMPLETED 2')
  })

  test('lets code write that runs beside a step', async () => {
    const stage = await runTwice(async (turn) => {
      const step = turn.step('slow', () => turn.task().then(() => null))
      await turn.artifact('a').append('beside')
      await step
      return turn.complete()
    })
    expect((await stage.task()).artifacts).toMatchObject([{ artifactId: 'a', parts: [{ text: 'beside' }] }])
  })

  test('keeps the steps inside a step apart from those beside it, when a retry skips it', async () => {
    const keys: string[] = []
    const values: unknown[] = []
    await runTwice(async (turn) => {
      const note = (name: string, value: string) =>
        turn.step(name, ({ key }) => {
          keys.push(key.slice(key.indexOf('/turn/')))
          return value
        })
      values.push(await turn.step('outer', async () => [await note('x', 'inside'), await note('x', 'inside again')]))
      values.push(await note('x', 'beside'))
      if (turn.attempt === 1) throw new Error('once more')
      return turn.complete()
    })
    expect(values).toEqual([['inside', 'inside again'], 'beside', ['inside', 'inside again'], 'beside'])
    expect(keys).toEqual(['/turn/1/outer#1/x', '/turn/1/outer#1/x#2', '/turn/1/x'])
  })

  test('gives a step that is run again what the steps inside it had returned', async () => {
    let runs = 0
    const values: unknown[] = []
    await runTwice(async (turn) => {
      const outer = await turn.step('outer', async () => {
        const inner = await turn.step('inner', () => ++runs)
        if (turn.attempt === 1) throw new Error('once more')
        return inner
      })
      values.push(outer)
      return turn.complete()
    })
    expect(values).toEqual([1])
    expect(runs).toBe(1)
  })

  test('does not begin in an attempt that was overtaken, though nothing has told it so', async () => {
    const ran: number[] = []
    const stage = await openTurnStage(
      defineAgent({
        id: 'agent',
        async turn(turn) {
          // What a process finds that was stopped for a while.
          await stage.ports.store.transact([stage.taskId], (tx) => tx.openTurn(stage.taskId, { id: 'run/1', attempt: 2 }))
          await turn.step('charge', () => ran.push(turn.attempt))
          return turn.complete()
        },
      }),
    )
    await runTurn({ ...stage.ports, store: untold(stage.ports.store) }, stage.taskId, execution())
    expect(ran).toEqual([])
    expect(await stage.log()).toEqual(['SUBMITTED', 'WORKING'])
  })
})

/** A store whose followers hear of nothing. */
function untold(store: TaskStore): TaskStore {
  const follow: TaskStore['follow'] = (id, _after, signal) => store.follow(id, Number.MAX_SAFE_INTEGER, signal)
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name === 'follow') return follow
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
