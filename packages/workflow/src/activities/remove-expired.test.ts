import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineAgent } from '@moorage/agent'
import { ANONYMOUS } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SILENT } from '../logger.js'
import { removeExpired } from './remove-expired.js'

const DAY_MS = 86_400_000
const agent = defineAgent({ id: 'support', turn: (turn) => turn.complete() })
const { signal } = new AbortController()

/** A store on a clock that stands still, with a task that ended, and a row of the audit that was written, two days ago. */
async function openAged({ steps = 0 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-retention-'))
  let now = Date.UTC(2026, 0, 1)
  const store = await openSqliteStore({ path: join(folder, 'test.db'), now: () => now })
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } as const
  await store.transact(['t'], async (tx) => {
    const task = {
      id: 't',
      agent: agent.id,
      tenant: '',
      contextId: 'c',
      participants: [{ participant: 'anonymous', role: 'admin' }],
    } as const
    await tx.create(task, { key: 'm', digest: 'd', message, sender: ANONYMOUS })
    const opening = await tx.openTurn('t', { id: 'run', attempt: 1 })
    if (opening.kind !== 'opened') throw new Error(opening.kind)
    for (let step = 0; step < steps; step++) await tx.recordStep('t', opening.fence, `step ${step}`, step)
    await tx.endTurn('t', opening.fence, { kind: 'complete' })
    await tx.audit({ agent: agent.id, principal: ANONYMOUS, operation: 'message', outcome: 'accepted' })
  })
  now += 2 * DAY_MS
  const remove = (asked: number, own?: number) => {
    const retention = own === undefined ? undefined : { tasksMs: own * DAY_MS, auditMs: own * DAY_MS }
    const input = { tasksMs: asked * DAY_MS, auditMs: asked * DAY_MS }
    return removeExpired({ store, agent, logger: SILENT, retention }, input, signal)
  }
  return { store, remove }
}

describe('removeExpired', () => {
  test.each([
    ['as long as the run says where the worker is not set to anything', 1, undefined],
    ['as long as both say', 2, 2],
    ['for the longer time', 1, 2],
  ])('keeps things %s', async (_, asked, own) => {
    const { remove } = await openAged()
    expect(await remove(asked, own)).toEqual({ tasks: 1, auditRows: 1, more: false })
  })

  test.each([
    ['the run', 3, 1],
    ['the worker', 1, 3],
    ['the run, for ever', 0, 1],
    ['the worker, for ever', 1, 0],
  ])('keeps what is to be kept for longer by %s', async (_, asked, own) => {
    const { store, remove } = await openAged()
    expect(await remove(asked, own)).toEqual({ tasks: 0, auditRows: 0, more: false })
    expect(await store.record('t')).toBeDefined()
  })

  test('finishes what was begun, also where everything is kept now', async () => {
    // More than one call removes.
    const { store, remove } = await openAged({ steps: 10_500 })
    expect(await store.removeTasks(agent.id, DAY_MS)).toEqual({ removed: 1, more: true })
    const receipt = () => store.transact(['t'], (tx) => tx.receipt('m'))
    expect(await receipt()).toBeDefined()
    expect(await remove(0, 0)).toMatchObject({ tasks: 0, more: false })
    expect(await receipt()).toBeUndefined()
  })
})
