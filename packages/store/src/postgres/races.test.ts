import { expect, it, onTestFinished, vi } from 'vitest'
import type { Receipt } from '../inbox-row.js'
import { StoreUnavailableError } from '../store-error.js'
import { AGENT, accept, createTask, inboxRow, manualClock, PATIENCE } from '../suite/fixtures.js'
import { holdLock } from '../suite/hold-lock.js'
import { createTestSchema } from '../suite/test-schema.js'
import type { TaskStore } from '../task-store.js'
import { openPostgresStore } from './open-postgres-store.js'
import type { PostgresStoreOptions } from './settings.js'

vi.setConfig({ testTimeout: PATIENCE.timeout })

const PARTICIPANTS = [{ participant: 'ann', role: 'admin' }] as const

/** Two stores over one database, as two processes have them. */
async function openTwo(options: Partial<PostgresStoreOptions> = {}) {
  const url = await createTestSchema()
  const open = () => openPostgresStore({ url, acceptDeadlineMs: 30_000, ...options })
  const stores = [await open(), await open()] as const
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))))
  return { url, stores }
}

/** As a server does: a message that came before gets its first receipt. */
function receive(store: TaskStore, id: string, messageId: string): Promise<Receipt> {
  return store.transact([id], async (tx) => {
    const first = await tx.receipt(messageId)
    if (first) return first
    const row = inboxRow(messageId)
    if (await tx.task(id)) return tx.accept(id, row)
    return tx.create({ id, agent: AGENT, tenant: '', contextId: 'ctx', participants: PARTICIPANTS }, row)
  })
}

it('makes one task of a first message that several processes get at once', async () => {
  const { stores } = await openTwo()
  for (let round = 0; round < 20; round++) {
    const receipts = await Promise.all([0, 1, 0, 1].map((index) => receive(stores[index] as TaskStore, `t${round}`, `m${round}`)))
    expect(receipts.map((receipt) => receipt.duplicate).sort()).toEqual([false, true, true, true])
    expect(new Set(receipts.map(({ taskId, position, cursor }) => `${taskId} ${position} ${cursor}`)).size).toBe(1)
    expect(await stores[0].record(`t${round}`)).toMatchObject({ seq: 1, position: 1 })
  }
})

it('accepts a message once that is sent to two tasks at once', async () => {
  const { stores } = await openTwo()
  await Promise.all(['a', 'b'].map((id) => createTask(stores[0], id)))
  for (let round = 0; round < 20; round++) {
    const receipts = await Promise.all([receive(stores[0], 'a', `m${round}`), receive(stores[1], 'b', `m${round}`)])
    expect(receipts.map((receipt) => receipt.duplicate).sort()).toEqual([false, true])
    expect(receipts[0]?.taskId).toBe(receipts[1]?.taskId)
  }
})

it('numbers the messages of one task densely, whichever process they come to', async () => {
  const { stores } = await openTwo()
  await createTask(stores[0], 't1')
  const receipts = await Promise.all(Array.from({ length: 60 }, (_, index) => accept(stores[index % 2] as TaskStore, 't1', `m${index}`)))
  expect(receipts.map((receipt) => receipt.position).sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 2))
  const times = (await stores[0].read('t1', 0, 100)).map((entry) => entry.at)
  expect(times).toEqual(times.toSorted())
})

it('locks tasks in one order, however they are named, so that nobody waits for ever', async () => {
  const { stores } = await openTwo({ poolSize: 3 })
  const names = ['a', 'b', 'c']
  for (const id of names) await createTask(stores[0], id)
  const rounds = Array.from({ length: 60 }, (_, index) => {
    const ids = [...names.slice(index % 3), ...names.slice(0, index % 3)]
    if (index % 2) ids.reverse()
    return (stores[index % 2] as TaskStore).transact(ids, async (tx) => {
      for (const id of ids) await tx.accept(id, inboxRow(`${id}${index}`))
    })
  })
  await Promise.all(rounds)
  for (const id of names) expect(await stores[1].record(id)).toMatchObject({ position: 61 })
})

it('runs a decision again that got in the way of another one', async () => {
  const { stores } = await openTwo()
  await Promise.all(['a', 'b'].map((id) => createTask(stores[0], id)))
  const gate = meeting(2)
  let runs = 0
  // Neither names the task that it turns to second: each waits for the other, until the server ends one of them.
  const cross = (store: TaskStore, first: string, second: string) =>
    store.transact([first], async (tx) => {
      runs++
      await gate()
      await tx.accept(second, inboxRow(`${first}${second}`))
    })
  await Promise.all([cross(stores[0], 'a', 'b'), cross(stores[1], 'b', 'a')])
  expect(runs).toBeGreaterThan(2)
  for (const id of ['a', 'b']) expect(await stores[0].record(id)).toMatchObject({ position: 2 })
})

it('lets two sweeps at once claim different tasks, all of them, each once', async () => {
  const clock = manualClock()
  const { stores } = await openTwo({ now: clock.now, wakeAfterMs: 1000 })
  await Promise.all(Array.from({ length: 60 }, (_, index) => createTask(stores[0], `t${index}`)))
  clock.advance(1000)
  const claims = await Promise.all(Array.from({ length: 12 }, (_, index) => (stores[index % 2] as TaskStore).claimDue([AGENT], 10)))
  const claimed = claims.flat().map((due) => due.taskId)
  const rest = await stores[0].claimDue([AGENT], 100)
  expect(new Set([...claimed, ...rest.map((due) => due.taskId)]).size).toBe(60)
  expect(claimed.length + rest.length).toBe(60)
})

it('claims past what another sweep has locked, without waiting for it', async () => {
  const clock = manualClock()
  const { url, stores } = await openTwo({ now: clock.now, wakeAfterMs: 1000 })
  for (const id of ['a', 'b', 'c']) await createTask(stores[0], id)
  clock.advance(1000)
  const release = await holdLock(url, `select 1 from wakes where task_id = 'b' for update`)
  expect((await stores[0].claimDue([AGENT], 10)).map((due) => due.taskId).sort()).toEqual(['a', 'c'])
  await release()
  expect((await stores[1].claimDue([AGENT], 10)).map((due) => due.taskId)).toEqual(['b'])
})

it('goes on with other tasks while one is locked, however many wait for that, and refuses them at the deadline', async () => {
  const { url, stores } = await openTwo({ poolSize: 2, acceptDeadlineMs: 1500 })
  await Promise.all(['a', 'b'].map((id) => createTask(stores[0], id)))
  const release = await holdLock(url, `select 1 from tasks where id = 'a' for update`)
  const waiting = Array.from({ length: 10 }, (_, index) => accept(stores[0], 'a', `m${index}`))
  const refused = Promise.allSettled(waiting)
  expect(await accept(stores[0], 'b', 'n')).toMatchObject({ position: 2 })
  for (const outcome of await refused) expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
  await release()
  expect(await accept(stores[0], 'a', 'm11')).toMatchObject({ position: 2 })
})

it('removes each task once, whole, when two processes remove and clients send their first messages again', async () => {
  const clock = manualClock()
  const { stores } = await openTwo({ now: clock.now })
  const ids = Array.from({ length: 60 }, (_, index) => `t${index}`)
  for (const id of ids) {
    await receive(stores[0], id, `${id}/first`)
    await stores[0].transact([id], (tx) => tx.end(id, 'TASK_STATE_CANCELED'))
    await stores[0].transact([id], (tx) => tx.settle(id))
  }
  clock.advance(1000)
  const again = ids.map((id, index) => receive(stores[index % 2] as TaskStore, id, `${id}/first`))
  const removals = await Promise.all(stores.map((store) => store.removeTasks(AGENT, 1000)))
  expect(removals.reduce((sum, { removed }) => sum + removed, 0)).toBe(60)
  for (const receipt of await Promise.all(again)) {
    const record = await stores[0].record(receipt.taskId)
    // A duplicate of a task that has gone since, or the first message of a new one.
    if (receipt.duplicate) expect(record).toBeUndefined()
    else expect(record).toMatchObject({ seq: 1, position: 1, state: 'TASK_STATE_SUBMITTED' })
  }
})

it('does not lose a key that is taken by mistake in an endless repetition', async () => {
  const { stores } = await openTwo()
  await createTask(stores[0], 't1')
  await expect(createTask(stores[0], 't1')).rejects.toMatchObject({ code: '23505' })
})

/** Returns a function whose first calls resolve when `count` of them have been made. */
function meeting(count: number): () => Promise<void> {
  let come = 0
  let open = () => {}
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    come++
    if (come >= count) open()
    return all
  }
}
