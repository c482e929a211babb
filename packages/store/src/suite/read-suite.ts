import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../log-entry.js'
import { accept, append, createTask, type OpenStore, openTurn } from './fixtures.js'

export function describeReads(open: OpenStore): void {
  describe('get', () => {
    it('gives the task with its artifacts and history, empty as they may be', async () => {
      const store = await open({ now: () => Date.UTC(2026, 0, 2) })
      await createTask(store, 't1')
      const snapshot = await store.get('t1')
      expect(snapshot?.record).toEqual({
        id: 't1',
        agent: 'support',
        tenant: '',
        contextId: 'ctx',
        state: 'TASK_STATE_SUBMITTED',
        seq: 1,
        position: 1,
        handled: 0,
        participants: [
          { participant: 'ann', role: 'admin' },
          { participant: 'ann', role: 'reporter' },
          { participant: 'support', role: 'assignee' },
        ],
      })
      expect(snapshot?.task).toEqual({
        id: 't1',
        contextId: 'ctx',
        status: { state: 'TASK_STATE_SUBMITTED', timestamp: '2026-01-02T00:00:00.000Z' },
        artifacts: [],
        history: [{ messageId: 't1/1', role: 'ROLE_USER', parts: [{ text: 't1/1' }], taskId: 't1', contextId: 'ctx' }],
      })
      expect(await store.record('t1')).toEqual(snapshot?.record)
    })

    it('knows nothing of a task that does not exist', async () => {
      const store = await open()
      expect(await store.get('t1')).toBeUndefined()
      expect(await store.record('t1')).toBeUndefined()
      expect(await store.read('t1', 0, 10)).toEqual([])
    })

    it('keeps messages, artifacts and parts in order, and the metadata of the task', async () => {
      const store = await open()
      const participants = [{ participant: 'ann', role: 'reporter' }] as const
      const task = { id: 't1', agent: 'support', tenant: '', contextId: 'ctx', participants, metadata: { 'urn:x': [1, null] } }
      await store.transact(['t1'], (tx) => tx.create(task, { key: 'k', digest: 'd', message: MESSAGE, sender: SENDER }))
      await accept(store, 't1', 'm2')
      const fence = await openTurn(store, 't1')
      await store.transact(['t1'], (tx) =>
        tx.append('t1', fence, 1, [
          { kind: 'artifact', artifactId: 'z', parts: [{ text: '1' }, { data: null }], name: 'Zed' },
          { kind: 'artifact', artifactId: 'a', parts: [{ url: 'https://example.com' }], description: 'Another' },
          { kind: 'artifact', artifactId: 'z', parts: [{ raw: 'AA==' }] },
        ]),
      )
      const snapshot = await store.get('t1')
      expect(snapshot?.task.metadata).toEqual({ 'urn:x': [1, null] })
      expect(snapshot?.task.history?.map((entry) => entry.messageId)).toEqual(['m1', 'm2'])
      const lengths = [0, 1, 2, 3].map(async (length) => (await store.get('t1', length))?.task.history?.map((entry) => entry.messageId))
      expect(await Promise.all(lengths)).toEqual([[], ['m2'], ['m1', 'm2'], ['m1', 'm2']])
      expect(snapshot?.task.artifacts).toEqual([
        { artifactId: 'z', parts: [{ text: '1' }, { data: null }, { raw: 'AA==' }], name: 'Zed' },
        { artifactId: 'a', parts: [{ url: 'https://example.com' }], description: 'Another' },
      ])
    })

    it('is the fold of the log up to its own sequence number, also while somebody writes', async () => {
      const store = await open()
      await createTask(store, 't1')
      const fence = await openTurn(store, 't1')
      const writes = Array.from({ length: 60 }, (_, index) => append(store, 't1', fence, index + 1))
      for (let reads = 0; reads < 30; reads++) {
        const snapshot = await store.get('t1')
        const log = await store.read('t1', 0, snapshot?.record.seq ?? 0)
        expect(snapshot?.task.artifacts?.[0]?.parts.length ?? 0).toBe(log.filter(isChunk).length)
      }
      await Promise.all(writes)
      expect((await store.get('t1'))?.task.artifacts?.[0]?.parts).toHaveLength(60)
    })
  })

  describe('read', () => {
    it('gives the entries after a sequence number, as many as asked for', async () => {
      const store = await open({ now: () => Date.UTC(2026, 0, 2, 3) })
      await createTask(store, 't1')
      for (const id of ['m2', 'm3', 'm4']) await accept(store, 't1', id)
      expect((await store.read('t1', 1, 2)).map((entry) => entry.seq)).toEqual([2, 3])
      expect(await store.read('t1', 3, 10)).toEqual([
        {
          seq: 4,
          at: '2026-01-02T03:00:00.000Z',
          state: 'TASK_STATE_SUBMITTED',
          handled: 0,
          payload: { internal: { kind: 'accepted', position: 4 } },
        },
      ])
    })

    it('names the command that an entry answers', async () => {
      const store = await open()
      await createTask(store, 't1')
      const row = { key: 'k', digest: 'd', message: MESSAGE, sender: SENDER, command: { name: 'status', args: '' } }
      await store.transact(['t1'], (tx) => tx.accept('t1', row))
      const opening = await store.transact(['t1'], (tx) => tx.claimCommand('t1', { id: 'run/1', attempt: 1 }))
      if (opening.kind !== 'claimed') throw new Error('the command was not claimed')
      await store.transact(['t1'], (tx) => tx.replyToCommand('t1', opening.position, opening.claim, MESSAGE))
      const log = await store.read('t1', 0, 10)
      expect(log.at(-1)?.replyTo).toBe(2)
      expect(log.slice(0, -1).some((entry) => 'replyTo' in entry)).toBe(false)
    })
  })
}

const SENDER = { tenant: '', subject: 'ann', participant: 'ann', claims: {} }
const MESSAGE = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hello' }] } as const

function isChunk(entry: LogEntry): boolean {
  return 'artifactUpdate' in entry.payload
}
