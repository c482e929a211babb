import { command, defineAgent, type Turn } from '@moorage/agent'
import { MARK } from '@moorage/inbox'
import { describe, expect, it } from 'vitest'
import { runCommands } from './run-command.js'
import { runTurn } from './run-turn.js'
import { execution, openTurnStage } from './turn-stage.js'

const KEY = ['sk', 'proj', 'Zk3vQ9pL7wXr2TbN8sYd4HfJ'].join('-')
const CONFIGURED = 'correct horse battery 4711'

const agentOf = (turn: (turn: Turn) => ReturnType<Turn['complete']> | Promise<ReturnType<Turn['complete']>>) =>
  defineAgent({ id: 'leaky', turn })

/** Everything that was recorded of a turn, as one text. */
async function recorded(turn: Parameters<typeof agentOf>[0]) {
  const stage = await openTurnStage(agentOf(turn))
  await runTurn(stage.ports, stage.taskId, execution())
  const log = await stage.ports.store.read(stage.taskId, 0, 1000)
  return { task: await stage.task(), all: JSON.stringify([await stage.task(), log]) }
}

describe('what an agent says', () => {
  it.each([
    ['a status', (turn: Turn) => turn.status(`using ${KEY}`).then(() => turn.complete('done'))],
    ['an outcome', (turn: Turn) => turn.complete([{ data: { password: KEY } }, { text: CONFIGURED }])],
    ['a question', (turn: Turn) => turn.ask(`is ${KEY} yours?`)],
    [
      'the name of an artifact',
      (turn: Turn) =>
        turn
          .artifact('a', { name: KEY, description: KEY })
          .append('x')
          .then(() => turn.complete()),
    ],
    [
      'a file',
      (turn: Turn) =>
        turn
          .artifact('a')
          .append({ url: `https://a.example/?token=${KEY}`, filename: KEY })
          .then(() => turn.complete()),
    ],
    [
      'a file that is a text',
      (turn: Turn) =>
        turn
          .artifact('a')
          .replace({ raw: btoa(`key: ${KEY}`) })
          .then(() => turn.complete()),
    ],
    ['a step', async (turn: Turn) => turn.complete(await turn.step('token', () => ({ key: KEY })).then(({ key }) => key))],
  ])('is recorded without its secrets: %s', async (_what, turn) => {
    const { all } = await recorded(turn)
    expect(all.includes(MARK) || all.includes(btoa(`key: ${MARK}`))).toBe(true)
    for (const secret of [KEY, CONFIGURED, btoa(`key: ${KEY}`)]) expect(all).not.toContain(secret)
  })

  it('is recorded without its secrets where a command replies', async () => {
    const agent = defineAgent({
      id: 'leaky',
      commands: { key: command('Tells it', (run) => run.reply(KEY)) },
      turn: (turn) => turn.ask('?'),
    })
    const stage = await openTurnStage(agent, '/key')
    await runCommands(stage.ports, stage.taskId, execution())
    expect(JSON.stringify(await stage.task())).toContain(MARK)
    expect(JSON.stringify(await stage.task())).not.toContain(KEY)
  })

  it('gives a step its recorded value at the first attempt too', async () => {
    const values: unknown[] = []
    await recorded(async (turn) => {
      values.push(await turn.step('fetch', () => KEY))
      return turn.complete()
    })
    expect(values).toEqual([MARK])
  })

  it.each([
    [
      'an artifact id',
      (turn: Turn) =>
        turn
          .artifact(KEY)
          .append('x')
          .then(() => turn.complete()),
    ],
    ['a step', (turn: Turn) => turn.step(KEY, () => 1).then(() => turn.complete())],
    ['a scheme', (turn: Turn) => turn.requireAuth(KEY, 'please')],
  ])('may not have a secret for the name of %s', async (_what, turn) => {
    const { task, all } = await recorded(turn)
    expect(task.status.state).toBe('TASK_STATE_FAILED')
    expect(all).not.toContain(KEY)
  })
})

describe('a text that comes in pieces', () => {
  const texts = (parts: readonly object[] = []) => parts.map((part) => ('text' in part ? part.text : part))

  it('keeps its pieces, and loses a secret that is cut in several', async () => {
    const { task } = await recorded(async (turn) => {
      const writer = turn.artifact('a')
      for (const piece of ['The key is ', KEY.slice(0, 9), KEY.slice(9, 15), KEY.slice(15), ', keep it. ', 'Well', ' then', '.'])
        await writer.append(piece)
      return turn.complete()
    })
    expect(texts(task.artifacts?.[0]?.parts)).toEqual(['The key is ', `${MARK}, keep it. `, 'Well', ' then', '.'])
  })

  it('is recorded whole, whatever it ends in', async () => {
    const { task } = await recorded(async (turn) => {
      await turn.artifact('a').append('it begins with sk-')
      await turn.artifact('b').append('password=', { last: true })
      await turn.artifact('c').append('https://exam')
      await turn.artifact('c').append({ data: 1 })
      await turn.artifact('d').append(`key ${KEY}`)
      await turn.artifact('d').replace('Bearer abc')
      return turn.complete()
    })
    expect(task.artifacts?.map(({ parts }) => texts(parts))).toEqual([
      ['it begins with ', 'sk-'],
      ['password='],
      ['https://', 'exam', { data: 1 }],
      ['Bearer ', 'abc'],
    ])
  })

  it('is not said twice by the next attempt', async () => {
    const stage = await openTurnStage(
      agentOf(async (turn) => {
        await turn.artifact('a').append(`the key ${KEY.slice(0, 12)}`)
        if (turn.attempt === 1) throw new Error('once more')
        await turn.artifact('a').append(`${KEY.slice(12)} is out`)
        return turn.complete()
      }),
    )
    await runTurn(stage.ports, stage.taskId, execution()).catch(() => {})
    await runTurn(stage.ports, stage.taskId, execution({ scheduling: { id: 'run/1', attempt: 2 } }))
    expect(texts((await stage.task()).artifacts?.[0]?.parts).join('')).toBe(`the key ${MARK} is out`)
  })
})
