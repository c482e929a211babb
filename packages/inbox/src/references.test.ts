import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { cancel } from './receive.js'
import { AGENT, accepted, alice, bob, openStore, send, text } from './testing/senders.js'

test('accepts a message that refers to tasks of its sender, in any context and state', async () => {
  const store = await openStore()
  const earlier = (await accepted(send(store, text('hello', { contextId: 'c1' })))).receipt.taskId
  await cancel(store, AGENT, alice, earlier)
  const { receipt } = await accepted(send(store, text('more', { contextId: 'c2', referenceTaskIds: [earlier, earlier] })))
  await accepted(send(store, text('more', { taskId: receipt.taskId, referenceTaskIds: [earlier, receipt.taskId] })))
  expect((await store.get(receipt.taskId))?.task.history).toMatchObject([{ referenceTaskIds: [earlier, earlier] }, {}])
})

test('refuses a reference to a task that its sender does not see in the very way it does one to none, and records nothing', async () => {
  const store = await openStore()
  const own = (await accepted(send(store, text('hello')))).receipt.taskId
  const elsewhere = [
    (await accepted(send(store, text('hello'), bob))).receipt.taskId,
    (await accepted(send(store, text('hello'), { ...alice, tenant: 'other' }))).receipt.taskId,
    (await accepted(send(store, text('hello'), alice, { agent: 'another' }))).receipt.taskId,
    (await accepted(send(store, text('hello'), alice, { direct: true }))).receipt.taskId,
    randomUUID(),
  ]
  for (const id of elsewhere) {
    const referenceTaskIds = [own, id]
    expect(await send(store, text('more', { referenceTaskIds }))).toEqual({ result: 'refused', reason: 'reference', index: 1 })
    const further = await send(store, text('more', { taskId: own, referenceTaskIds }))
    expect(further).toEqual({ result: 'refused', reason: 'reference', index: 1, taskId: own })
  }
  expect(await store.record(own)).toMatchObject({ position: 1 })
  expect(await store.list({ agent: AGENT, pageSize: 10, includeArtifacts: false }, alice)).toMatchObject({ totalSize: 1 })
})

test('gives a message its receipt again, although what it refers to is gone', async () => {
  const store = await openStore()
  const earlier = (await accepted(send(store, text('hello')))).receipt.taskId
  const message = text('more', { referenceTaskIds: [earlier] })
  await accepted(send(store, message))
  await cancel(store, AGENT, alice, earlier)
  await store.transact([earlier], (tx) => tx.settle(earlier))
  expect(await store.removeTasks(AGENT, 0)).toMatchObject({ removed: 1 })
  expect((await accepted(send(store, message))).receipt).toMatchObject({ duplicate: true })
})
