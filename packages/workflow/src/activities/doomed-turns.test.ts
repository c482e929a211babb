import { defineAgent, type Turn } from '@moorage/agent'
import { describe, expect, test } from 'vitest'
import { SILENT } from '../logger.js'
import { runTurn } from './run-turn.js'
import { execution, openTurnStage } from './turn-stage.js'

/** What the code returns goes unchecked by the compiler, as from an agent in JavaScript. */
function agentOf(turn: (turn: Turn) => unknown) {
  return defineAgent({ id: 'agent', turn: turn as never })
}

/** Steps of one name, each inside the one before. */
function nested(turn: Turn, name: string, depth: number): Promise<number> {
  return turn.step(name, () => (depth === 1 ? 1 : nested(turn, name, depth - 1)))
}

describe('a turn whose code has a mistake', () => {
  test.each<[string, (turn: Turn) => unknown, string]>([
    ['returns nothing', () => undefined, 'turn must return turn.complete(…)'],
    ['returns an outcome of its own making', () => ({ kind: 'done' }), 'turn must return turn.complete(…)'],
    ['returns parts of its own making', () => ({ kind: 'complete', parts: [{ texts: 'x' }] }), 'turn.complete: part 1 is no part'],
    ['completes with what is no part', (turn) => turn.complete({ texts: 'x' } as never), 'turn.complete: part 1 is no part'],
    [
      'says nothing',
      (turn) => turn.status(undefined as never),
      "turn.status: part 1 is missing; give a text, or a part such as { text: '…' }",
    ],
    ['asks nothing', (turn) => turn.ask(undefined as never), 'turn.ask: part 1 is missing; give a text,'],
    ['fails without a word', (turn) => turn.fail(undefined as never), 'turn.fail: part 1 is missing; give a text,'],
    ['rejects without a word', (turn) => turn.reject(undefined as never), 'turn.reject: part 1 is missing; give a text,'],
    ['returns a reply of its own making without parts', () => ({ kind: 'reply' }), 'turn.reply: part 1 is missing; give a text,'],
    ['returns a question of its own making without parts', () => ({ kind: 'ask' }), 'turn.ask: part 1 is missing; give a text,'],
    ['returns a date from a step', (turn) => turn.step('when', () => new Date(0)), 'turn.step("when"): the value is an instance of Date'],
    ['gives a step no name', (turn) => turn.step('', () => 1), 'turn.step: name must be a string of 1 to 256 characters'],
    ['gives a step a name that no key can have', (turn) => turn.step('\ud800', () => 1), 'it is "\\ud800"'],
    ['gives a step a name that JSON cannot say', (turn) => turn.step(1n as never, () => 1), 'it is of type bigint'],
    ['gives an artifact an id that is too long', (turn) => turn.artifact('x'.repeat(257)).append('x'), 'it has 257'],
    ['names steps inside each other at length', (turn) => nested(turn, 'a'.repeat(256), 3), 'at most 600 characters together'],
    [
      'gives an artifact no id',
      (turn) => turn.artifact('').append('x'),
      'turn.artifact: artifactId must be a string of 1 to 256 characters',
    ],
    ['writes in a step', (turn) => turn.step('s', () => turn.status('x')), 'turn.status inside turn.step("s")'],
  ])('ends the task at once, and says in the log what to do: it %s', async (_, turn, told) => {
    const causes: string[] = []
    const logger = { ...SILENT, error: ({ err }: { err?: Error }) => void causes.push(`${err?.message}`) }
    const stage = await openTurnStage(agentOf(turn))
    expect(await runTurn({ ...stage.ports, logger }, stage.taskId, execution())).toMatchObject({ terminal: true })
    expect((await stage.log()).at(-1)).toBe(
      'FAILED The agent could not handle the message: its code has a mistake, which trying again would not mend.',
    )
    expect(causes).toEqual([expect.stringContaining(told)])
  })
})

describe('a turn whose code throws each time', () => {
  test('ends the task after five attempts with a sentence, and tells the log of the worker each cause', async () => {
    const told: object[] = []
    const logger = { ...SILENT, error: (fields: object, message: string) => void told.push({ ...fields, message }) }
    const stage = await openTurnStage(
      agentOf((turn) => {
        throw new Error(`the password is swordfish ${turn.attempt}`)
      }),
    )
    const run = (attempt: number) => runTurn({ ...stage.ports, logger }, stage.taskId, execution({ scheduling: { id: 'run/1', attempt } }))
    for (const attempt of [1, 2, 3, 4]) {
      const failed = await run(attempt).catch((error: unknown) => error)
      expect(failed).toMatchObject({ type: 'TurnFailed', message: expect.not.stringContaining('swordfish'), cause: undefined })
    }
    expect(await run(5)).toMatchObject({ terminal: true })
    expect((await stage.log()).at(-1)).toBe('FAILED The agent could not handle the message: its code failed 5 times.')
    expect(JSON.stringify(await stage.ports.store.read(stage.taskId, 0, 100))).not.toContain('swordfish')
    const causes = [1, 2, 3, 4, 5].map((attempt) => ({
      err: new Error(`the password is swordfish ${attempt}`),
      taskId: stage.taskId,
      turn: 1,
      attempt,
      message: 'the turn of the agent failed',
    }))
    expect(told).toEqual(causes)
  })
})

describe('a turn that takes its process with it', () => {
  test.each([
    [99, 'COMPLETED Attempt 100'],
    [100, 'FAILED The agent could not handle the message: it was begun 100 times, and its process ended each time.'],
  ])('that was lost %d times ends with %j', { timeout: 60_000 }, async (losses, end) => {
    const stage = await openTurnStage(agentOf((turn) => turn.complete(`Attempt ${turn.attempt}`)))
    for (let attempt = 1; attempt <= losses; attempt += 1) {
      await stage.ports.store.transact([stage.taskId], (tx) => tx.openTurn(stage.taskId, { id: 'run/1', attempt }))
    }
    await runTurn(stage.ports, stage.taskId, execution({ scheduling: { id: 'run/1', attempt: losses + 1 } }))
    expect((await stage.log()).at(-1)).toBe(end)
  })
})
