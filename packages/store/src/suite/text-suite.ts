import { describe, expect, it } from 'vitest'
import { AGENT, inboxRow, type OpenStore, principal } from './fixtures.js'

/** U+0000, which Postgres does not store as such; U+0001; a half of a character, which UTF-8 has no bytes for. */
const AWKWARD = ['nul \u0000 and one \u0001', 'half \ud83d', '\u0001\u0000\u0001\u0001\u0000\u0000']

export function describeTexts(open: OpenStore): void {
  describe('texts', () => {
    it.each(AWKWARD)('gives back what anybody may write, character for character (%j)', async (text) => {
      const store = await open()
      const sender = principal('ann')
      const task = {
        id: 't1',
        agent: AGENT,
        tenant: '',
        contextId: 'ctx',
        participants: [{ participant: 'ann', role: 'admin' }],
        metadata: { text },
      } as const
      const first = { ...inboxRow('m1', sender, text), command: { name: 'echo', args: text }, annotations: { text } }
      await store.transact(['t1'], (tx) => tx.create(task, first))
      const claimed = await store.transact(['t1'], (tx) => tx.claimCommand('t1', { id: 'run', attempt: 1 }))
      expect(claimed).toMatchObject({
        kind: 'claimed',
        args: text,
        sender: { tenant: '', subject: 'ann', participant: 'ann' },
        annotations: { text },
      })
      await store.transact(['t1'], (tx) => tx.accept('t1', inboxRow('m2')))
      const opening = await store.transact(['t1'], (tx) => tx.openTurn('t1', { id: 'run', attempt: 1 }))
      if (opening.kind !== 'opened') throw new Error('there is no turn')
      const artifact = { name: text, description: text, parts: [{ text }] }
      await store.transact(['t1'], (tx) => tx.append('t1', opening.fence, 1, [{ kind: 'artifact', artifactId: 'answer', ...artifact }]))
      await store.transact(['t1'], (tx) => tx.recordStep('t1', opening.fence, 'step', text))
      const snapshot = await store.get('t1')
      expect(snapshot?.task).toMatchObject({ metadata: { text }, artifacts: [artifact] })
      expect(snapshot?.task.history?.[0]?.parts).toEqual([{ text }])
      expect((await store.read('t1', 0, 10)).at(-1)?.payload).toMatchObject({ artifactUpdate: { artifact } })
    })

    it('keeps every name apart, and in the order of its bytes', async () => {
      const store = await open({ now: () => 1000 })
      const names = [
        '',
        '\u0000',
        '\u0000a',
        '\u0001',
        '\u0001\u0001',
        '\u0002',
        ' ',
        '-a',
        'A',
        'B',
        'a',
        'aB',
        'ab',
        'b',
        'ä',
        '\uffff',
        '\u{1f600}',
      ].map((name) => `t${name}`)
      const shuffled = names.toSorted((left, right) => left.length - right.length || right.localeCompare(left))
      for (const id of shuffled) {
        const participants = names.map((participant) => ({ participant, role: 'watcher' }) as const)
        await store.transact([id], (tx) => tx.create({ id, agent: AGENT, tenant: '', contextId: id, participants }, inboxRow(id)))
      }
      const viewer = principal(names[1] ?? '')
      const page = await store.list({ agent: AGENT, pageSize: 100, includeArtifacts: false }, viewer)
      expect(page.tasks.map((task) => task.id)).toEqual(names.toReversed())
      expect((await store.record('t\u0000'))?.participants.map(({ participant }) => participant)).toEqual(names)
      const context = await store.list({ agent: AGENT, pageSize: 100, includeArtifacts: false, contextId: 't\u0000' }, viewer)
      expect(context.tasks.map((task) => task.id)).toEqual(['t\u0000'])
    })
  })
}
