import { command, defineAgent, type Outcome, type Turn } from '@moorage/agent'
import { StoreUnavailableError } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { type Fate, faultyStore } from './faulty-store.js'
import { MAX_ATTEMPTS } from './ports.js'
import { runCommands } from './run-command.js'
import { runTurn } from './run-turn.js'
import { execution, openTurnStage, type TurnStage } from './turn-stage.js'

const WORDS = Array.from({ length: 30 }, (_, index) => `${index} `)

/** How often Temporal would have to run an Activity again at most. */
const MANY = 20

function agentOf(turn: (turn: Turn) => Promise<Outcome> | Outcome) {
  return defineAgent({ id: 'agent', turn })
}

/** Runs it again, as Temporal does, until it answers. */
async function untilAnswered<T>(run: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < MANY; attempt += 1) {
    try {
      return await run(attempt)
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
    }
  }
  return run(MANY)
}

function runTurnOf(stage: TurnStage, store = stage.ports.store, overrides = {}) {
  return (attempt: number) =>
    runTurn({ ...stage.ports, store }, stage.taskId, execution({ scheduling: { id: 'run/1', attempt }, ...overrides }))
}

function inTurns(...fates: readonly Fate[]): () => Fate {
  let next = 0
  return () => fates[next++ % fates.length] ?? 'runs'
}

describe('a turn whose store goes away again and again', () => {
  test.each<[string, readonly Fate[]]>([
    ['every second transaction does not run', ['runs', 'lost']],
    ['every second answer is lost', ['unanswered', 'runs']],
    ['a transaction does not run, and then its answer is lost', ['lost', 'unanswered', 'runs']],
  ])('loses and doubles nothing where %s', async (_, fates) => {
    const steps: string[] = []
    const stage = await openTurnStage(
      agentOf(async (turn) => {
        for (const [index, word] of WORDS.entries()) {
          await turn.artifact('text').append(word)
          if (index % 10 === 0) await turn.step(`step ${index}`, () => steps.push(`step ${index}`))
        }
        await turn.artifact('sum').append('no')
        await turn.artifact('sum').replace(`${WORDS.length}`)
        return turn.complete('end')
      }),
    )
    const outcome = await untilAnswered(runTurnOf(stage, faultyStore(stage.ports.store, inTurns(...fates))))
    expect(outcome).toEqual({ unhandled: [], last: 1, terminal: true })
    const { artifacts } = await stage.task()
    expect(artifacts?.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(''))).toEqual([WORDS.join(''), '30'])
    expect(steps).toEqual(['step 0', 'step 10', 'step 20'])
    expect((await stage.log()).filter((entry) => entry === 'COMPLETED end')).toHaveLength(1)
  })

  test('is handed back when its time is up meanwhile, which is no error of its code, and completes later', async () => {
    let fate: Fate = 'runs'
    const loads: number[] = []
    const stage = await openTurnStage(
      agentOf(async (turn) => {
        await turn.step('load', () => loads.push(turn.attempt))
        await turn.artifact('text').append(`attempt ${turn.attempt}`)
        if (turn.attempt > MAX_ATTEMPTS) return turn.complete('end')
        fate = 'lost'
        turn.signal.addEventListener('abort', () => {
          fate = 'runs'
        })
        return turn.complete(await turn.step('save', () => 'never'))
      }),
    )
    const store = faultyStore(stage.ports.store, () => fate)
    const run = runTurnOf(stage, store, { timeoutMs: 200 })
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await expect(run(attempt)).rejects.toMatchObject({ type: 'StoreUnavailable', nonRetryable: false, nextRetryDelay: 3000 })
    }
    expect(await run(MAX_ATTEMPTS + 1)).toMatchObject({ terminal: true })
    expect((await stage.task()).artifacts?.[0]?.parts).toEqual([{ text: `attempt ${MAX_ATTEMPTS + 1}` }])
    expect((await stage.log()).at(-1)).toBe('COMPLETED end')
    expect(loads).toEqual([1])
  })

  test('is to blame once for an error whose count got no answer', async () => {
    let fate: Fate = 'runs'
    const stage = await openTurnStage(
      agentOf(() => {
        fate = 'unanswered'
        throw new Error('stumbled')
      }),
    )
    const run = runTurnOf(
      stage,
      faultyStore(stage.ports.store, () => fate),
    )
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      expect((await stage.task()).status.state).not.toBe('TASK_STATE_FAILED')
      await expect(run(attempt)).rejects.toThrow(StoreUnavailableError)
      fate = 'runs'
    }
    expect(await run(MAX_ATTEMPTS + 1)).toMatchObject({ terminal: true })
    expect((await stage.log()).at(-1)).toContain(`its code failed ${MAX_ATTEMPTS} times`)
  })
})

describe('a command whose store goes away', () => {
  function openCommand() {
    const runs: string[] = []
    const agent = defineAgent({
      id: 'agent',
      commands: {
        do: command('Does it', (run) => {
          runs.push(run.key)
          return run.reply('done')
        }),
      },
      turn: (turn) => turn.complete(),
    })
    return { agent, runs }
  }

  test.each<[string, readonly Fate[]]>([
    ['its reply is refused once', ['runs', 'lost', 'runs']],
    ['the answer to its reply is lost', ['runs', 'unanswered', 'runs']],
  ])('runs once and replies once where %s', async (_, fates) => {
    const { agent, runs } = openCommand()
    const stage = await openTurnStage(agent, '/do it')
    const store = faultyStore(stage.ports.store, inTurns(...fates))
    expect(await runCommands({ ...stage.ports, store }, stage.taskId, execution())).toMatchObject({ unhandled: [] })
    expect(runs).toHaveLength(1)
    expect(await stage.log()).toEqual(['SUBMITTED', 'INPUT_REQUIRED done'])
  })

  test('is not run again by the next attempt when its process ends between the reply and the answer', async () => {
    const { agent, runs } = openCommand()
    const stage = await openTurnStage(agent, '/do it')
    const { store } = stage.ports
    let replied = (): void => {}
    const committed = new Promise<void>((resolve) => {
      replied = resolve
    })
    let transactions = 0
    const dying = new Proxy(store, {
      get(target, name) {
        if (name !== 'transact') return Reflect.get(target, name).bind(target)
        return async (...call: Parameters<typeof store.transact>) => {
          const value = await target.transact(...call)
          transactions += 1
          if (transactions < 2) return value
          replied()
          return new Promise(() => {})
        }
      },
    })
    void runCommands({ ...stage.ports, store: dying }, stage.taskId, execution())
    await committed
    const again = execution({ scheduling: { id: 'run/1', attempt: 2 } })
    expect(await runCommands(stage.ports, stage.taskId, again)).toEqual({ unhandled: [], last: 1, terminal: false })
    expect(runs).toHaveLength(1)
    expect(await stage.log()).toEqual(['SUBMITTED', 'INPUT_REQUIRED done'])
  })
})
