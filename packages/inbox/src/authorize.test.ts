import { randomUUID } from 'node:crypto'
import type { Participation, TaskStore } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { authorize, cancel } from './receive.js'
import { AGENT, accepted, alice, bob, openStore, send, text } from './testing/senders.js'

const roles = ['assignee', 'watcher'] as const

/** A task of alice's whose turn has ended, and in which carol and dave have a role each. */
async function taskThat(store: TaskStore, kind: 'require-auth' | 'ask' | 'complete' = 'require-auth'): Promise<string> {
  const id = randomUUID()
  const participants: readonly Participation[] = [
    { participant: 'alice', role: 'admin' },
    ...roles.map((role) => ({ participant: role, role })),
  ]
  const row = { key: id, digest: '', message: text('hello'), sender: alice }
  await store.transact([id], (tx) => tx.create({ id, agent: AGENT, tenant: 't', contextId: 'c', participants }, row))
  await endTurn(store, id, kind)
  return id
}

async function endTurn(store: TaskStore, id: string, kind: 'require-auth' | 'ask' | 'complete'): Promise<void> {
  await store.transact([id], async (tx) => {
    const opening = await tx.openTurn(id, { id: randomUUID(), attempt: 1 })
    if (opening.kind === 'opened') await tx.endTurn(id, opening.fence, { kind, scheme: 'calendar' })
  })
}

describe('authorize', () => {
  test.each([undefined, 'calendar'])('lets the task go on, once (scheme %s)', async (scheme) => {
    const store = await openStore()
    const id = await taskThat(store)
    const first = await authorize(store, AGENT, alice, id, scheme)
    expect(first).toMatchObject({ result: 'accepted', kind: 'authorization', handled: false, receipt: { position: 2, duplicate: false } })
    expect(await store.record(id)).toMatchObject({ state: 'TASK_STATE_WORKING' })
    expect(await authorize(store, AGENT, alice, id)).toMatchObject({ kind: 'authorization', receipt: { position: 2, duplicate: true } })
    await endTurn(store, id, 'complete')
    expect(await authorize(store, AGENT, alice, id, scheme)).toMatchObject({ handled: true, receipt: { position: 2, duplicate: true } })
    expect(await store.record(id)).toMatchObject({ state: 'TASK_STATE_COMPLETED', position: 2 })
  })

  test('takes it again where the task has asked again', async () => {
    const store = await openStore()
    const id = await taskThat(store)
    await authorize(store, AGENT, alice, id)
    await endTurn(store, id, 'require-auth')
    expect(await authorize(store, AGENT, alice, id)).toMatchObject({ receipt: { position: 3, duplicate: false } })
  })

  test('is refused by the caller, to whom the task is not there or who has not the role', async () => {
    const store = await openStore()
    const id = await taskThat(store)
    const refusals: [string, Parameters<typeof authorize>[2], string][] = [
      ['task-not-found', bob, AGENT],
      ['task-not-found', { ...alice, tenant: 'other' }, AGENT],
      ['task-not-found', alice, 'another-agent'],
      ...roles.map((role): [string, typeof alice, string] => ['role', { ...alice, subject: role, participant: role }, AGENT]),
    ]
    for (const [reason, principal, agent] of refusals) {
      expect(await authorize(store, agent, principal, id)).toEqual({ result: 'refused', reason, taskId: id })
    }
    expect(await authorize(store, AGENT, alice, 'nope')).toEqual({ result: 'refused', reason: 'task-not-found', taskId: 'nope' })
    expect(await store.record(id)).toMatchObject({ state: 'TASK_STATE_AUTH_REQUIRED', position: 1 })
  })

  test('is refused by a task that has ended, that has not asked, or that has asked for another scheme', async () => {
    const store = await openStore()
    const ended = await taskThat(store, 'complete')
    const asks = await taskThat(store, 'ask')
    const wants = await taskThat(store)
    expect(await authorize(store, AGENT, alice, ended)).toMatchObject({ reason: 'terminal', state: 'TASK_STATE_COMPLETED' })
    expect(await authorize(store, AGENT, alice, asks)).toMatchObject({ reason: 'not-waiting', state: 'TASK_STATE_INPUT_REQUIRED' })
    expect(await authorize(store, AGENT, alice, wants, 'mail')).toMatchObject({ reason: 'scheme' })
    await authorize(store, AGENT, alice, wants)
    for (const [principal, scheme] of [[{ ...alice, subject: 'a colleague' }], [alice, 'mail']] as const) {
      expect(await authorize(store, AGENT, principal, wants, scheme)).toMatchObject({ reason: 'not-waiting', state: 'TASK_STATE_WORKING' })
    }
  })

  test('and a cancel at once: it is before the cancel, or it is refused', async () => {
    const store = await openStore()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const id = await taskThat(store)
        const both = [() => authorize(store, AGENT, alice, id), () => cancel(store, AGENT, alice, id)]
        const results = await Promise.all((index % 2 ? both : both.reverse()).map((run) => run()))
        expect(await store.record(id)).toMatchObject({ state: 'TASK_STATE_CANCELED', handled: results.some(isAccepted) ? 2 : 1 })
        return results.find(({ result }) => result !== 'canceled')
      }),
    )
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject(
        isAccepted(outcome) ? { receipt: { position: 2 } } : { reason: 'terminal', state: 'TASK_STATE_CANCELED' },
      )
    }
  })

  test('and a message at once: the message begins the turn alone, or both do', async () => {
    const store = await openStore()
    for (const index of Array(20).keys()) {
      const id = await taskThat(store)
      const both = [() => authorize(store, AGENT, alice, id), () => accepted(send(store, text('done', { taskId: id })))]
      const results = await Promise.all((index % 2 ? both : both.reverse()).map((run) => run()))
      const granted = results.some((result) => isAccepted(result) && result.kind === 'authorization')
      const opening = await store.transact([id], (tx) => tx.openTurn(id, { id: 'run', attempt: 1 }))
      if (opening.kind !== 'opened') throw new Error(opening.kind)
      expect(opening.received).toHaveLength(granted ? 2 : 1)
      expect('authorization' in opening).toBe(granted)
      if (!granted) expect(results).toContainEqual(expect.objectContaining({ reason: 'not-waiting', state: 'TASK_STATE_WORKING' }))
    }
  })
})

function isAccepted(value: unknown): value is { readonly result: 'accepted'; readonly kind: string } {
  return typeof value === 'object' && value !== null && 'result' in value && value.result === 'accepted'
}
