import { describe, expect, it } from 'vitest'
import { AGENT, type OpenStore, principal, says } from './fixtures.js'
import { createTestTask, type TestTask } from './test-task.js'

export function describeCommands(open: OpenStore): void {
  const newTask = async (text?: string) => createTestTask(await open({ wakeAfterMs: 0 }), text)

  async function claim(task: TestTask, attempt = 1) {
    const opening = await task.transact((tx) => tx.claimCommand(task.id, { id: 'run/command', attempt }))
    if (opening.kind !== 'claimed') throw new Error('There is no command')
    return opening
  }

  const reply = (task: TestTask, position: number, number: number, text = 'fine') =>
    task.transact((tx) => tx.replyToCommand(task.id, position, number, says(text)))

  describe('a command', () => {
    it('is answered while a turn runs, without a change of state, and names what it answers', async () => {
      const task = await newTask()
      await task.open()
      await task.send('/status of things')
      const opening = await claim(task)
      expect(opening).toMatchObject({ position: 2, claim: 1, command: 'status', args: 'of things' })
      expect((await reply(task, 2, 1)).result).toBe('appended')
      expect((await task.log()).at(-1)).toMatchObject({
        state: 'TASK_STATE_WORKING',
        handled: 0,
        replyTo: 2,
        payload: { statusUpdate: { metadata: { command: 'status' }, status: { message: { parts: [{ text: 'fine' }] } } } },
      })
    })

    it('holds the end of a turn until the last one is answered', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      await task.send('/a')
      await task.send('/b')
      const end = await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'complete', message: says('done') }))
      expect(end).toMatchObject({ terminal: false, unhandled: [{ position: 2 }, { position: 3 }] })
      expect((await task.record()).state).toBe('TASK_STATE_WORKING')
      await claim(task)
      expect(await reply(task, 2, 1)).toMatchObject({ terminal: false })
      await claim(task)
      expect(await reply(task, 3, 1)).toMatchObject({ terminal: true, unhandled: [] })
      const log = await task.log()
      expect(log.at(-2)).toMatchObject({ replyTo: 3, state: 'TASK_STATE_WORKING', handled: 3 })
      expect(log.at(-1)).toMatchObject({ state: 'TASK_STATE_COMPLETED', handled: 3 })
      expect((await task.task()).status.message?.parts).toEqual([{ text: 'done' }])
    })

    it('loses a held end to a new message, which gets a turn; what the end said is said', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      await task.send('/a')
      await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'complete', message: says('done') }))
      await task.send('one more thing')
      await claim(task)
      expect(await reply(task, 2, 1)).toMatchObject({ terminal: false, unhandled: [{ position: 3, kind: 'message' }] })
      expect((await task.open(1, 'run/2')).fence).toEqual({ turn: 2, attempt: 1 })
      const said = (await task.task()).history?.map((message) => message.parts[0])
      expect(said).toContainEqual({ text: 'done' })
    })

    it('parks a task that has had nothing else', async () => {
      const task = await newTask('/status')
      await claim(task)
      await reply(task, 1, 1)
      expect(await task.record()).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', handled: 1 })
      expect(await task.isMarked()).toBe(false)
    })

    it('stands in the history after the question that it came after', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'ask', message: says('Which?') }))
      await task.send('/status')
      await claim(task)
      await reply(task, 2, 1)
      await task.send('north')
      const texts = (await task.task()).history?.map((message) => message.parts[0])
      expect(texts).toEqual(['hello', 'Which?', '/status', 'fine', 'north'].map((text) => ({ text })))
      const page = await task.store.list({ agent: AGENT, pageSize: 10, historyLength: 2, includeArtifacts: false }, principal('ann'))
      expect(page.tasks[0]?.history?.map((message) => message.parts[0])).toEqual([{ text: 'fine' }, { text: 'north' }])
    })

    it('leaves a parked task parked', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'ask', message: says('Which?') }))
      expect((await task.send('/status')).state).toBe('TASK_STATE_INPUT_REQUIRED')
      await claim(task)
      await reply(task, 2, 1)
      expect(await task.record()).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', handled: 2 })
    })

    it('lets only the latest claim answer, and once', async () => {
      const task = await newTask('/status')
      await claim(task)
      expect((await claim(task)).claim).toBe(2)
      expect((await reply(task, 1, 1, 'zombie')).result).toBe('stale')
      expect((await reply(task, 1, 2)).result).toBe('appended')
      expect((await reply(task, 1, 2)).result).toBe('duplicate')
      expect((await task.log()).filter((entry) => entry.replyTo === 1)).toHaveLength(1)
    })

    it('keeps the wake mark of a canceled task when a stale claim answers', async () => {
      const task = await newTask('/status')
      await claim(task)
      await task.transact((tx) => tx.end(task.id, 'TASK_STATE_CANCELED'))
      expect(await reply(task, 1, 0, 'zombie')).toMatchObject({ result: 'stale', terminal: true })
      expect(await task.isMarked()).toBe(true)
    })

    it('is not claimed by an older attempt of the same scheduling that comes late', async () => {
      const task = await newTask('/status')
      await claim(task, 2)
      expect(await task.transact((tx) => tx.claimCommand(task.id, { id: 'run/command', attempt: 1 }))).toMatchObject({ kind: 'stale' })
      expect((await reply(task, 1, 1)).result).toBe('appended')
    })

    it('is to blame once for each claim, however often its error is told', async () => {
      const task = await newTask('/status')
      const told = (number: number) => task.transact((tx) => tx.failCommand(task.id, 1, number, 2, says('It did not work')))
      await claim(task)
      for (const result of ['appended', 'duplicate', 'duplicate']) expect(await told(1)).toMatchObject({ result, retry: true })
      await claim(task)
      for (const result of ['appended', 'duplicate']) expect(await told(2)).toMatchObject({ result, retry: false })
      expect((await task.log()).filter((entry) => entry.replyTo === 1)).toHaveLength(1)
    })

    it('is answered with a sentence after its last attempt, and handled by the end of its task', async () => {
      const task = await newTask('/status')
      await claim(task)
      const fail = (number: number) => task.transact((tx) => tx.failCommand(task.id, 1, number, 2, says('It did not work')))
      expect(await fail(1)).toMatchObject({ retry: true })
      await claim(task)
      expect(await fail(2)).toMatchObject({ retry: false, result: 'appended' })
      expect((await task.log()).at(-1)).toMatchObject({ replyTo: 1 })
      await task.send('/again')
      await task.transact((tx) => tx.end(task.id, 'TASK_STATE_CANCELED'))
      expect(await task.transact((tx) => tx.claimCommand(task.id, { id: 'run/command', attempt: 9 }))).toMatchObject({
        kind: 'idle',
        terminal: true,
      })
    })
  })
}
