import { describe, expect, it } from 'vitest'
import type { Fence } from '../turn.js'
import { chunk, type OpenStore, says } from './fixtures.js'
import { foldEntries } from './fold-entries.js'
import { createTestTask, type TestTask } from './test-task.js'

const MAX_ATTEMPTS = 3

export function describeRetries(open: OpenStore): void {
  const newTask = async () => createTestTask(await open({ wakeAfterMs: 0 }))

  async function expectFoldIsTask(task: TestTask): Promise<void> {
    const { status, artifacts } = await task.task()
    expect(foldEntries(await task.log())).toEqual({ status, artifacts })
  }

  describe('a retried turn', () => {
    it('takes back an artifact that only the abandoned attempt wrote, and writes it anew', async () => {
      const task = await newTask()
      const first = await task.open(1)
      await task.append(first.fence, 1, chunk('a'), chunk('b'))
      const second = await task.open(2)
      expect((await task.task()).artifacts).toEqual([{ artifactId: 'answer', parts: [{ text: '', metadata: { discarded: true } }] }])
      await expectFoldIsTask(task)
      await task.append(second.fence, second.batch + 1, chunk('a'))
      expect((await task.task()).artifacts).toEqual([{ artifactId: 'answer', parts: [{ text: 'a' }] }])
      await expectFoldIsTask(task)
    })

    it('restores what an artifact held before the turn, appended to or replaced', async () => {
      const task = await newTask()
      const first = await task.open(1)
      await task.append(first.fence, 1, { ...chunk('kept', 'one'), name: 'One' }, chunk('kept', 'two'), chunk('untouched', 'three'))
      await task.transact((tx) => tx.endTurn(task.id, first.fence, { kind: 'ask' }))
      const before = (await task.task()).artifacts
      await task.send('again')
      const second = await task.open(1, 'run/2')
      await task.append(
        second.fence,
        1,
        { ...chunk('more', 'one'), name: 'Changed', description: 'Changed' },
        {
          kind: 'artifact',
          artifactId: 'two',
          parts: [{ text: 'new' }],
          replace: true,
        },
      )
      await task.append(second.fence, 2, chunk('newer', 'two'), {
        kind: 'artifact',
        artifactId: 'two',
        parts: [{ text: 'x' }],
        replace: true,
      })
      await task.open(2, 'run/2')
      expect((await task.task()).artifacts).toEqual(before)
      await expectFoldIsTask(task)
    })

    it('takes back the writes of each abandoned attempt, not only of the first', async () => {
      const task = await newTask()
      for (const attempt of [1, 2, 3]) {
        const { fence, batch } = await task.open(attempt)
        await task.append(fence, batch + 1, chunk(`attempt ${attempt}`))
      }
      expect((await task.task()).artifacts).toEqual([{ artifactId: 'answer', parts: [{ text: 'attempt 3' }] }])
      await expectFoldIsTask(task)
    })

    it('gets its recorded steps and the same messages', async () => {
      const task = await newTask()
      const first = await task.open(1)
      await task.transact((tx) => tx.recordStep(task.id, first.fence, 'load', { n: 1 }))
      await task.transact((tx) => tx.recordStep(task.id, first.fence, 'nothing', null))
      await task.send('meanwhile')
      const second = await task.open(2)
      expect([...second.steps]).toEqual([
        ['load', { n: 1 }],
        ['nothing', null],
      ])
      expect(second.received).toEqual(first.received)
    })

    it('has no steps of an earlier turn', async () => {
      const task = await newTask()
      const first = await task.open(1)
      await task.transact((tx) => tx.recordStep(task.id, first.fence, 'load', 1))
      await task.transact((tx) => tx.endTurn(task.id, first.fence, { kind: 'ask' }))
      await task.send('again')
      expect((await task.open(1, 'run/2')).steps.size).toBe(0)
    })

    it('is to blame once for each attempt, however often its error is told', async () => {
      const task = await newTask()
      const told = (fence: Fence) => task.transact((tx) => tx.failTurn(task.id, fence, 2, says('It did not work')))
      const first = await task.open(1)
      for (const result of ['appended', 'duplicate', 'duplicate']) expect(await told(first.fence)).toMatchObject({ result, retry: true })
      const second = await task.open(2)
      for (const result of ['appended', 'duplicate'])
        expect(await told(second.fence)).toMatchObject({ result, retry: false, terminal: true })
      expect((await task.log()).filter(({ state }) => state === 'TASK_STATE_FAILED')).toHaveLength(1)
    })

    it('fails the task after the last attempt allowed, whatever waits', async () => {
      const task = await newTask()
      await task.send('/status')
      const results: unknown[] = []
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const { fence } = await task.open(attempt)
        results.push((await task.transact((tx) => tx.failTurn(task.id, fence, MAX_ATTEMPTS, says('It did not work')))).retry)
      }
      expect(results).toEqual([true, true, false])
      expect(await task.record()).toMatchObject({ state: 'TASK_STATE_FAILED', handled: 2 })
      expect((await task.task()).status.message?.parts).toEqual([{ text: 'It did not work' }])
    })
  })
}
