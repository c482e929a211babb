import { describe, expect, it } from 'vitest'
import { AGENT, type OpenStore, says } from './fixtures.js'
import { createTestTask, type TestTask } from './test-task.js'

const BOB = { tenant: 'acme', subject: 'bob', participant: 'bob' }

export function describeAuthorizations(open: OpenStore): void {
  const newTask = async (text?: string) => createTestTask(await open({ wakeAfterMs: 0, now: () => 1000 }), text)

  let schedulings = 0
  async function openNext(task: TestTask) {
    schedulings += 1
    return task.open(1, `run/${schedulings}`)
  }

  /** Runs a turn that asks for an authorisation, or that ends otherwise. */
  async function ask(task: TestTask, scheme: string | undefined = 'calendar') {
    const { fence } = await openNext(task)
    const outcome = scheme === '' ? ({ kind: 'ask' } as const) : ({ kind: 'require-auth', scheme, message: says('Let me in') } as const)
    return task.transact((tx) => tx.endTurn(task.id, fence, outcome))
  }

  const authorize = (task: TestTask, scheme = 'calendar') =>
    task.transact((tx) => tx.authorize(task.id, { scheme, sender: { ...BOB, claims: { not: 'recorded' } } }))
  const stateOf = (task: TestTask) => task.transact((tx) => tx.authorization(task.id))
  const texts = ({ received }: Awaited<ReturnType<TestTask['open']>>) => received.map(({ message }) => message.parts[0])

  describe('an authorisation', () => {
    it('ends the wait for it: WORKING, a row that waits for its turn, and a wake mark', async () => {
      const task = await newTask()
      await ask(task)
      const history = (await task.task()).history?.length
      expect(await authorize(task)).toMatchObject({ position: 2, cursor: 4, duplicate: false, state: 'TASK_STATE_WORKING' })
      expect(await task.record()).toMatchObject({ state: 'TASK_STATE_WORKING', position: 2, handled: 1 })
      expect((await task.task()).history).toHaveLength((history ?? 0) + 1)
      expect(await task.store.claimDue([AGENT], 10)).toMatchObject([{ unhandled: [{ position: 2, kind: 'authorization' }] }])
    })

    it('begins a turn that has the request again, in every attempt, and who has authorised it', async () => {
      const task = await newTask('book it')
      await ask(task)
      await authorize(task)
      await task.send('by train')
      for (const attempt of [1, 2]) {
        const opening = await task.open(attempt, 'run/authorised')
        expect(opening).toMatchObject({
          fence: { turn: 2, attempt },
          authorization: { scheme: 'calendar', by: BOB, at: '1970-01-01T00:00:01.000Z' },
        })
        expect(texts(opening)).toEqual([{ text: 'book it' }, { text: 'by train' }])
        expect(opening.received[0]?.sender).toEqual({ tenant: '', subject: 'ann', participant: 'ann' })
      }
      const { fence } = await task.open(3, 'run/authorised')
      await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'complete' }))
      expect(await task.record()).toMatchObject({ state: 'TASK_STATE_COMPLETED', handled: 3 })
    })

    it('brings the messages of all turns in a row that asked for one, up to the first that did not', async () => {
      const task = await newTask('one')
      await ask(task, '')
      await task.send('two')
      await ask(task)
      await task.send('three')
      await ask(task)
      await authorize(task)
      await ask(task, 'mail')
      await authorize(task, 'mail')
      const opening = await openNext(task)
      expect(texts(opening)).toEqual([{ text: 'two' }, { text: 'three' }])
      expect(opening.authorization).toMatchObject({ scheme: 'mail' })
    })

    it('brings the last of them where they are too long together', async () => {
      const task = await newTask('x'.repeat(3 * 1024 * 1024))
      await ask(task)
      await task.send('y'.repeat(2 * 1024 * 1024))
      await ask(task)
      await authorize(task)
      expect((await openNext(task)).received).toHaveLength(1)
    })

    it('is no part of a turn that a message began', async () => {
      const task = await newTask('one')
      await ask(task)
      await task.send('two')
      const opening = await openNext(task)
      expect(texts(opening)).toEqual([{ text: 'two' }])
      expect(opening).not.toHaveProperty('authorization')
    })

    it.each(['calendar', 'nul \u0000 and a half \ud83d'])('is asked for by name, whatever was said since (%j)', async (scheme) => {
      const task = await newTask()
      expect(await stateOf(task)).toEqual({})
      await ask(task, scheme)
      await task.send('/status')
      const claimed = await task.transact((tx) => tx.claimCommand(task.id, { id: 'run/command', attempt: 1 }))
      if (claimed.kind === 'claimed') await task.transact((tx) => tx.replyToCommand(task.id, claimed.position, claimed.claim, says('fine')))
      expect(await stateOf(task)).toEqual({ asked: scheme })
      const receipt = await authorize(task, scheme)
      const given = { authorization: { scheme, by: BOB, at: '1970-01-01T00:00:01.000Z' }, receipt: { ...receipt, duplicate: true } }
      expect(await stateOf(task)).toEqual({ given: { ...given, handled: false } })
      await ask(task, scheme)
      expect(await stateOf(task)).toEqual({ asked: scheme, given: { ...given, handled: true } })
    })

    it('is handled by the end of its task, and there is none where there is no task', async () => {
      const task = await newTask()
      await ask(task)
      await authorize(task)
      await task.transact((tx) => tx.end(task.id, 'TASK_STATE_CANCELED'))
      expect(await task.record()).toMatchObject({ state: 'TASK_STATE_CANCELED', handled: 2 })
      expect(await task.transact((tx) => tx.openTurn(task.id, { id: 'run', attempt: 1 }))).toMatchObject({ kind: 'idle', unhandled: [] })
      expect(await task.transact((tx) => tx.authorization('nope'))).toBeUndefined()
    })

    it('keeps its wake until a turn is open', async () => {
      let time = Date.UTC(2026, 0, 1)
      const task = await createTestTask(await open({ wakeAfterMs: 1000, now: () => time }))
      await ask(task)
      await authorize(task)
      time += 500
      await task.transact((tx) => tx.postponeWake(task.id))
      time += 500
      expect(await task.isMarked()).toBe(true)
    })
  })
}
