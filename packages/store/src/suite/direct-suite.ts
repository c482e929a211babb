import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TaskStore } from '../task-store.js'
import type { TurnOutcome } from '../turn.js'
import { AGENT, accept, END_STATES, inboxRow, type OpenStore, openTurn, principal, says } from './fixtures.js'

const REPLY: TurnOutcome = { kind: 'reply', message: says('hello back') }

export function describeDirectAnswers(open: OpenStore): void {
  async function directTask(direct = true): Promise<{ readonly store: TaskStore; readonly id: string }> {
    const store = await open({ wakeAfterMs: 0 })
    const id = randomUUID()
    const participants = [
      { participant: 'ann', role: 'admin' },
      { participant: 'ann', role: 'reporter' },
    ] as const
    await store.transact([id], (tx) =>
      tx.create({ id, agent: AGENT, tenant: '', contextId: 'c', participants, direct }, inboxRow(`${id}/1`)),
    )
    return { store, id }
  }

  const listed = async (store: TaskStore) => {
    const query = { agent: AGENT, pageSize: 10, includeArtifacts: false }
    const pages = await Promise.all([query, { ...query, contextId: 'c' }].map((asked) => store.list(asked, principal('ann'))))
    return pages.map(({ tasks, totalSize }) => [tasks.map(({ id }) => id), totalSize])
  }
  const nowhere = [
    [[], 0],
    [[], 0],
  ]
  const seen = (id: string) => [
    [[id], 1],
    [[id], 1],
  ]

  async function endTurn(store: TaskStore, id: string, outcome: TurnOutcome) {
    const fence = await openTurn(store, id)
    return store.transact([id], (tx) => tx.endTurn(id, fence, outcome))
  }

  describe('a task whose first message may be answered by a Message', () => {
    it('is nobody’s, in no list and no total, before and after the reply that is its end', async () => {
      const { store, id } = await directTask()
      expect(await store.record(id)).toMatchObject({ direct: 'pending', participants: [] })
      expect(await listed(store)).toEqual(nowhere)
      expect(await endTurn(store, id, REPLY)).toMatchObject({ result: 'appended', terminal: true, unhandled: [] })
      expect(await store.get(id)).toMatchObject({
        record: { direct: 'answered', participants: [], state: 'TASK_STATE_COMPLETED', handled: 1 },
        task: { status: { message: { parts: [{ text: 'hello back' }] } } },
      })
      expect(await listed(store)).toEqual(nowhere)
      await store.transact([id], (tx) => tx.reveal(id))
      expect(await store.record(id)).toMatchObject({ direct: 'answered' })
    })

    it('keeps its first answer, however often the end is sent', async () => {
      const { store, id } = await directTask()
      const fence = await openTurn(store, id)
      const end = (outcome: TurnOutcome) => store.transact([id], (tx) => tx.endTurn(id, fence, outcome))
      expect((await end(REPLY)).result).toBe('appended')
      expect((await end({ kind: 'complete', message: says('another end') })).result).toBe('duplicate')
      expect(await store.get(id)).toMatchObject({ record: { direct: 'answered' }, task: { status: { message: REPLY.message } } })
    })

    it.each(END_STATES)('is a task like any other once its first turn ends otherwise: %s', async (kind, state) => {
      const { store, id } = await directTask()
      await endTurn(store, id, { kind })
      const record = await store.record(id)
      expect(record).toMatchObject({ state: `TASK_STATE_${state}`, participants: [{ role: 'admin' }, { role: 'reporter' }] })
      expect(record).not.toHaveProperty('direct')
      expect(await listed(store)).toEqual(seen(id))
    })

    it('is one once its code has failed for good, or somebody has ended it', async () => {
      const failed = await directTask()
      const fence = await openTurn(failed.store, failed.id)
      await failed.store.transact([failed.id], (tx) => tx.failTurn(failed.id, fence, 1, says('It did not work')))
      expect(await listed(failed.store)).toEqual(seen(failed.id))
      const ended = await directTask()
      await ended.store.transact([ended.id], (tx) => tx.end(ended.id, 'TASK_STATE_CANCELED'))
      expect(await listed(ended.store)).toEqual(seen(ended.id))
    })

    it('is one once it is revealed: then a reply completes it', async () => {
      const { store, id } = await directTask()
      await store.transact([id], (tx) => tx.reveal(id))
      expect(await listed(store)).toEqual(seen(id))
      await endTurn(store, id, REPLY)
      expect(await store.record(id)).toMatchObject({
        state: 'TASK_STATE_COMPLETED',
        participants: [{ role: 'admin' }, { role: 'reporter' }],
      })
      expect(await listed(store)).toEqual(seen(id))
    })

    it('is one once a further message has come, which gets the next turn; what the reply said is said', async () => {
      const { store, id } = await directTask()
      const fence = await openTurn(store, id)
      await accept(store, id, `${id}/2`)
      expect(await store.transact([id], (tx) => tx.endTurn(id, fence, REPLY))).toMatchObject({
        terminal: false,
        unhandled: [{ position: 2 }],
      })
      expect((await store.get(id))?.task.status).toMatchObject({ state: 'TASK_STATE_WORKING', message: REPLY.message })
      await endTurn(store, id, REPLY)
      expect(await listed(store)).toEqual(seen(id))
    })

    it('is one once a command has come: the reply completes it when the command is answered', async () => {
      const { store, id } = await directTask()
      const fence = await openTurn(store, id)
      await store.transact([id], (tx) => tx.accept(id, inboxRow(`${id}/2`, principal('ann'), '/status')))
      expect(await store.transact([id], (tx) => tx.endTurn(id, fence, REPLY))).toMatchObject({ terminal: false })
      await store.transact([id], async (tx) => {
        const claimed = await tx.claimCommand(id, { id: 'command', attempt: 1 })
        if (claimed.kind === 'claimed') await tx.replyToCommand(id, claimed.position, claimed.claim, says('fine'))
      })
      expect(await store.record(id)).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
      expect(await listed(store)).toEqual(seen(id))
    })
  })

  it('a reply completes a task that was not made for it, or parks it where it is told to', async () => {
    const completed = await directTask(false)
    await endTurn(completed.store, completed.id, REPLY)
    expect(await completed.store.record(completed.id)).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
    const parked = await directTask(false)
    await endTurn(parked.store, parked.id, { ...REPLY, parks: true })
    expect(await parked.store.record(parked.id)).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED' })
  })
}
