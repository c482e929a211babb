import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { allow, command, defineAgent, isAgent, refuse, type Turn, toParts } from './index.js'

const turn = (run: Turn) => run.complete()

describe('defineAgent', () => {
  test('fills in what is unset', () => {
    const agent = defineAgent({ id: 'support', turn })
    expect(agent).toMatchObject({ id: 'support', card: {}, input: 'text', lifecycle: 'task', reply: 'task', commands: {}, policies: {} })
    expect(isAgent(agent)).toBe(true)
  })

  test.each([
    [{ id: 'Support', turn }, /^defineAgent: id must be/],
    [{ id: '', turn }, /^defineAgent: id must be/],
    [{ id: 'a'.repeat(64), turn }, /^defineAgent: id must be/],
    [{ id: 'a' }, /^defineAgent: turn must be a function/],
    [{ id: 'a', turn, lifecycle: 'forever' }, /^defineAgent: lifecycle must be/],
    [{ id: 'a', turn, input: 'json' }, /^defineAgent: input must be/],
    [{ id: 'a', turn, reply: 'message' }, /^defineAgent: reply must be "task" or "message-when-direct"; it is "message"$/],
    [
      { id: 'a', turn, command: {} },
      /^defineAgent: command is no option; there are id, card, extendCard, input, lifecycle, reply, commands, policies, turn$/,
    ],
    [{ id: 'a', turn, extendCard: {} }, /^defineAgent: extendCard must be a function that takes a Principal/],
    [{ id: 'a', turn, card: 7 }, /^defineAgent: card must be/],
    [{ id: 'a', turn, commands: { 'Bad Name': command('x', (run) => run.reply('x')) } }, /^defineAgent: commands\.Bad Name:/],
    [{ id: 'a', turn, policies: [] }, /^defineAgent: policies must be an object/],
    [
      { id: 'a', turn, policies: { 'request.recieved': () => undefined } },
      /^defineAgent: policies\.request\.recieved is no policy point; there/,
    ],
    [{ id: 'a', turn, policies: { 'task.created': {} } }, /^defineAgent: policies\.task\.created must be a function/],
    [{ id: 'a', turn, commands: { status: () => undefined } }, /^defineAgent: commands\.status must be made by command/],
  ])('names the field that is wrong (%#)', (options, message) => {
    expect(() => defineAgent(options as never)).toThrow(message)
  })

  test('cannot be changed afterwards', () => {
    const agent = defineAgent({ id: 'support', turn, commands: { status: command('What I do', (run) => run.reply('x')) } })
    expect(Object.isFrozen(agent)).toBe(true)
    expect(Object.isFrozen(agent.commands)).toBe(true)
  })

  test('gives the turn the type of its input schema', () => {
    defineAgent({
      id: 'orders',
      input: z.object({ order: z.number() }),
      turn: (run) => {
        expectTypeOf(run.input).toEqualTypeOf<{ order: number }>()
        return run.complete()
      },
    })
  })
})

describe('command', () => {
  test('asks for a description and a function', () => {
    expect(() => command(' ', (run) => run.reply('x'))).toThrow(/^command: description/)
    expect(() => command('What I do', undefined as never)).toThrow(/^command: run/)
  })
})

describe('decisions of a policy', () => {
  test('say what they are', () => {
    expect(allow()).toEqual({ kind: 'allow', annotations: {} })
    expect(allow({ tier: 'gold' })).toEqual({ kind: 'allow', annotations: { tier: 'gold' } })
    expect(refuse('Not on Sundays')).toEqual({ kind: 'refuse', reason: 'Not on Sundays' })
  })

  test.each([[], null, 'gold'])('keep no annotations that are no object (%j)', (annotations) => {
    expect(() => allow(annotations as never)).toThrow(/^allow: annotations must be/)
  })

  test.each(['', '  ', 'x'.repeat(1001), undefined])('need a reason that can be told', (reason) => {
    expect(() => refuse(reason as never)).toThrow(/^refuse: the reason must tell/)
  })
})

describe('isAgent', () => {
  test.each([undefined, null, 'agent', {}, { id: 'a' }, { id: 'a', turn: 1, commands: {} }])('refuses %j', (value) => {
    expect(isAgent(value)).toBe(false)
  })
})

describe('toParts', () => {
  test('takes a text, a part or several parts', () => {
    expect(toParts('hello')).toEqual([{ text: 'hello' }])
    expect(toParts({ data: [1] })).toEqual([{ data: [1] }])
    expect(toParts([{ text: 'a' }, { url: 'https://example.com/b' }])).toHaveLength(2)
  })
})
