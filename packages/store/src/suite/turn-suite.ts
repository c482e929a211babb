import { describe, expect, it } from 'vitest'
import { chunk, END_STATES, inboxRow, type OpenStore, principal, says } from './fixtures.js'
import { foldEntries } from './fold-entries.js'
import { createTestTask } from './test-task.js'

export function describeTurns(open: OpenStore): void {
  const newTask = async (text?: string) => createTestTask(await open({ wakeAfterMs: 0 }), text)

  describe('a turn', () => {
    it('takes every message that waits, in order, and says WORKING', async () => {
      const task = await newTask('one')
      await task.send('two')
      const opening = await task.open()
      expect(opening.received.map(({ message }) => message.parts)).toEqual([[{ text: 'one' }], [{ text: 'two' }]])
      expect(opening).toMatchObject({ fence: { turn: 1, attempt: 1 }, batch: 0, contextId: 'context' })
      expect((await task.record()).state).toBe('TASK_STATE_WORKING')
    })

    it('gets each message with its sender and what the policies noted on it, in every attempt', async () => {
      const task = await newTask('one')
      const bob = { ...principal('bob', 'acme'), claims: { not: 'recorded' } }
      await task.transact((tx) => tx.accept(task.id, { ...inboxRow('two', bob), annotations: { budget: 3 } }))
      for (const attempt of [1, 2]) {
        expect((await task.open(attempt)).received).toMatchObject([
          { sender: { tenant: '', subject: 'ann', participant: 'ann' }, annotations: {} },
          { message: { messageId: 'two' }, sender: { tenant: 'acme', subject: 'bob', participant: 'bob' }, annotations: { budget: 3 } },
        ])
      }
    })

    it('takes as many messages as a process can well hold, and leaves the others to the next turn', async () => {
      const task = await newTask()
      const long = 'x'.repeat(3 * 1024 * 1024)
      await task.send(long)
      await task.send(long)
      const opening = await task.open()
      expect(opening.received).toHaveLength(2)
      const end = await task.transact((tx) => tx.endTurn(task.id, opening.fence, { kind: 'complete', message: says('first') }))
      expect(end).toMatchObject({ terminal: false, unhandled: [{ position: 3, kind: 'message' }] })
      const next = await task.open(1, 'run/2')
      expect(next.received.map(({ message }) => message.parts)).toEqual([[{ text: long }]])
    })

    it('ends the task, handles its messages, and clears the wake mark', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      await task.append(fence, 1, chunk('a'), chunk('b'))
      const end = await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'complete', message: says('done') }))
      expect(end).toMatchObject({ result: 'appended', terminal: true, unhandled: [], last: 1 })
      expect(await task.record()).toMatchObject({ state: 'TASK_STATE_COMPLETED', handled: 1 })
      expect(await task.isMarked()).toBe(false)
    })

    it('logs densely from 1, and the fold of the log is the task', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      await task.append(fence, 1, chunk('a'), { kind: 'status', message: says('thinking') }, chunk('b'))
      await task.append(fence, 2, { kind: 'artifact', artifactId: 'answer', parts: [{ text: 'c' }], replace: true, last: true })
      await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'complete', message: says('done') }))
      const log = await task.log()
      expect(log.map((entry) => entry.seq)).toEqual(log.map((_, index) => index + 1))
      const { status, artifacts, history } = await task.task()
      expect(foldEntries(log)).toEqual({ status, artifacts })
      expect(artifacts).toEqual([{ artifactId: 'answer', parts: [{ text: 'c' }] }])
      expect(history?.map((message) => message.parts)).toEqual([[{ text: 'hello' }], [{ text: 'thinking' }]])
    })

    it.each(END_STATES)('ends in the state of its outcome: %s', async (kind, state) => {
      const task = await newTask()
      const { fence } = await task.open()
      await task.transact((tx) => tx.endTurn(task.id, fence, { kind }))
      expect((await task.record()).state).toBe(`TASK_STATE_${state}`)
      expect((await task.log()).at(-1)).toMatchObject({ state: `TASK_STATE_${state}`, handled: 1 })
    })

    it('is postponed by a message that came meanwhile: what it says is said, and the message gets the next turn', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      await task.send('and?')
      const end = await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'complete', message: says('first') }))
      expect(end).toMatchObject({ terminal: false, unhandled: [{ position: 2, kind: 'message' }] })
      expect((await task.log()).at(-1)).toMatchObject({ state: 'TASK_STATE_WORKING', handled: 1 })
      const next = await task.open(1, 'run/2')
      expect(next.fence).toEqual({ turn: 2, attempt: 1 })
      expect(next.received).toHaveLength(1)
    })

    it('does not open where nothing waits, nor on a task that has ended', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'ask' }))
      const again = await task.transact((tx) => tx.openTurn(task.id, { id: 'run/2', attempt: 1 }))
      expect(again).toEqual({ kind: 'idle', unhandled: [], last: 1, terminal: false })
      await task.transact((tx) => tx.end(task.id, 'TASK_STATE_CANCELED'))
      expect(await task.transact((tx) => tx.openTurn(task.id, { id: 'run/3', attempt: 1 }))).toMatchObject({ kind: 'idle', terminal: true })
    })

    it.each(['ask', 'require-auth'] as const)(
      'resumes with the next message after %s, and says WORKING as soon as it is accepted',
      async (kind) => {
        const task = await newTask()
        const { fence } = await task.open()
        await task.transact((tx) => tx.endTurn(task.id, fence, { kind, message: says('Which region?') }))
        expect(await task.send('north')).toMatchObject({ position: 2, state: 'TASK_STATE_WORKING' })
        expect((await task.log()).at(-1)).toMatchObject({ state: 'TASK_STATE_WORKING', handled: 1 })
        expect((await task.task()).history?.map((message) => message.parts)).toEqual([
          [{ text: 'hello' }],
          [{ text: 'Which region?' }],
          [{ text: 'north' }],
        ])
      },
    )

    it('writes a batch once, however often it is sent', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      expect((await task.append(fence, 1, chunk('a'))).result).toBe('appended')
      expect((await task.append(fence, 1, chunk('a'))).result).toBe('duplicate')
      expect((await task.task()).artifacts?.[0]?.parts).toEqual([{ text: 'a' }])
    })

    it('ends once, however often its end is sent', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      const end = () => task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'complete' }))
      expect((await end()).result).toBe('appended')
      const seq = (await task.record()).seq
      expect((await end()).result).toBe('duplicate')
      expect((await task.record()).seq).toBe(seq)
    })
  })

  describe('the fence', () => {
    it('lets only the latest attempt write', async () => {
      const task = await newTask()
      const first = await task.open(1)
      const second = await task.open(2)
      expect(second.fence).toEqual({ turn: 1, attempt: 2 })
      expect((await task.append(first.fence, 1, chunk('zombie'))).result).toBe('stale')
      expect((await task.transact((tx) => tx.endTurn(task.id, first.fence, { kind: 'complete' }))).result).toBe('stale')
      expect((await task.transact((tx) => tx.recordStep(task.id, first.fence, 's', 1))).result).toBe('stale')
      expect((await task.transact((tx) => tx.failTurn(task.id, first.fence, 1, says('no')))).result).toBe('stale')
      expect((await task.task()).artifacts).toEqual([])
    })

    it('refuses an older attempt of the same scheduling that comes late', async () => {
      const task = await newTask()
      const second = await task.open(2)
      expect(await task.transact((tx) => tx.openTurn(task.id, { id: 'run/1', attempt: 1 }))).toMatchObject({ kind: 'stale' })
      expect((await task.append(second.fence, 1, chunk('a'))).result).toBe('appended')
    })

    it('is raised by a cancel: nothing is written afterwards, and there is one terminal entry', async () => {
      const task = await newTask()
      const { fence } = await task.open()
      await task.send('/status')
      await task.transact((tx) => tx.end(task.id, 'TASK_STATE_CANCELED'))
      const seq = (await task.record()).seq
      expect((await task.append(fence, 1, chunk('late'))).result).toBe('terminal')
      expect((await task.transact((tx) => tx.recordStep(task.id, fence, 's', 1))).result).toBe('terminal')
      expect((await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'complete' }))).result).toBe('terminal')
      expect(await task.record()).toMatchObject({ seq, state: 'TASK_STATE_CANCELED', handled: 2 })
    })

    it('keeps the wake mark of a canceled task until its run has looked', async () => {
      const task = await newTask()
      await task.transact((tx) => tx.end(task.id, 'TASK_STATE_CANCELED'))
      expect(await task.isMarked()).toBe(true)
      expect(await task.transact((tx) => tx.settle(task.id))).toEqual({ unhandled: [], last: 1, terminal: true })
      expect(await task.isMarked()).toBe(false)
    })
  })
}
