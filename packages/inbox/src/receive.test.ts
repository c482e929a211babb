import { randomUUID } from 'node:crypto'
import { ANONYMOUS } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { cancel } from './receive.js'
import { AGENT, accepted, alice, bob, openStore, send, text } from './testing/senders.js'

describe('receive', () => {
  test('makes a task of a first message, with its creator as reporter and admin', async () => {
    const store = await openStore()
    const { receipt, kind } = await accepted(send(store, text('hello', { contextId: 'c1' })))
    expect(kind).toBe('message')
    expect(receipt).toMatchObject({ position: 1, cursor: 1, duplicate: false, state: 'TASK_STATE_SUBMITTED' })
    expect(await store.record(receipt.taskId)).toMatchObject({
      agent: AGENT,
      tenant: 't',
      contextId: 'c1',
      participants: [
        { participant: 'alice', role: 'admin' },
        { participant: 'alice', role: 'reporter' },
        { participant: AGENT, role: 'assignee' },
      ],
    })
  })

  test("makes a task with a random id each time, and a turn's message each time, with idempotency: 'off'", async () => {
    const store = await openStore()
    const off = { idempotency: 'off' } as const
    const message = text('hello')
    const [first, again] = [await accepted(send(store, message, alice, off)), await accepted(send(store, message, alice, off))]
    expect(again.receipt).toMatchObject({ duplicate: false, position: 1 })
    expect(again.receipt.taskId).not.toBe(first.receipt.taskId)
    const further = { ...message, taskId: first.receipt.taskId }
    for (const position of [2, 3]) expect((await accepted(send(store, further, alice, off))).receipt).toMatchObject({ position })
  })

  test('keeps a task that may be answered by a Message from everybody but its own message', async () => {
    const store = await openStore()
    const direct = { direct: true } as const
    const message = text('hello')
    const { receipt } = await accepted(send(store, message, alice, direct))
    expect(await store.record(receipt.taskId)).toMatchObject({ direct: 'pending', participants: [] })
    expect(await accepted(send(store, message, alice, direct))).toMatchObject({ receipt: { ...receipt, duplicate: true }, handled: false })
    expect(await send(store, text('other words', { messageId: message.messageId }), alice, direct)).toMatchObject({ reason: 'content' })
    const further = [text('more', { taskId: receipt.taskId }), { ...message, taskId: receipt.taskId }]
    for (const sent of further) expect(await send(store, sent)).toMatchObject({ reason: 'task-not-found' })
    expect(await cancel(store, AGENT, alice, receipt.taskId)).toMatchObject({ reason: 'task-not-found' })
    expect(await store.record(receipt.taskId)).toMatchObject({ direct: 'pending' })
  })

  test('shows such a task to its participants once the same message comes from somebody who wants the task', async () => {
    const store = await openStore()
    const message = text('hello')
    const { receipt } = await accepted(send(store, message, alice, { direct: true }))
    expect((await accepted(send(store, message))).receipt).toMatchObject({ taskId: receipt.taskId, duplicate: true })
    const record = await store.record(receipt.taskId)
    expect(record?.participants).toHaveLength(3)
    expect(record).not.toHaveProperty('direct')
  })

  test('makes no such task of a command', async () => {
    const store = await openStore()
    const { receipt } = await accepted(send(store, text('/status'), alice, { direct: true }))
    expect(await store.record(receipt.taskId)).not.toHaveProperty('direct')
  })

  test('gives a context to a message without one, and the ids to the recorded message', async () => {
    const store = await openStore()
    const { receipt } = await accepted(send(store, text('hello')))
    const snapshot = await store.get(receipt.taskId)
    expect(snapshot?.task.contextId).toMatch(/^[0-9a-f-]{36}$/)
    expect(snapshot?.task.history).toMatchObject([{ taskId: receipt.taskId, contextId: snapshot?.task.contextId }])
  })

  test('recognises a command', async () => {
    expect(await accepted(send(await openStore(), text('/status now')))).toMatchObject({ kind: 'command' })
  })

  test('gives the same message its first receipt again: at once, in sequence, and after the task has ended', async () => {
    const store = await openStore()
    const message = text('hello')
    const receipts = await Promise.all([accepted(send(store, message)), accepted(send(store, message)), accepted(send(store, message))])
    const [taskId] = new Set(receipts.map(({ receipt }) => receipt.taskId))
    expect(receipts.map(({ receipt }) => receipt.duplicate).sort()).toEqual([false, true, true])
    expect(new Set(receipts.map(({ receipt }) => `${receipt.taskId} ${receipt.position} ${receipt.cursor}`)).size).toBe(1)
    await cancel(store, AGENT, alice, String(taskId))
    expect(await accepted(send(store, message))).toMatchObject({
      handled: true,
      receipt: { taskId, duplicate: true, state: 'TASK_STATE_SUBMITTED' },
    })
    expect((await store.record(String(taskId)))?.position).toBe(1)
  })

  test('refuses other content under the same id of an authenticated sender, also in another task', async () => {
    const store = await openStore()
    const message = text('hello')
    const { receipt } = await accepted(send(store, message))
    expect(await send(store, { ...message, parts: [{ text: 'other' }] })).toEqual({ result: 'refused', reason: 'content' })
    expect(await send(store, { ...message, taskId: receipt.taskId })).toEqual({ result: 'refused', reason: 'content' })
  })

  test('takes other content under the same id of an anonymous sender for another message', async () => {
    const store = await openStore()
    const message = text('hello')
    const first = await accepted(send(store, message, ANONYMOUS))
    const second = await accepted(send(store, { ...message, parts: [{ text: 'other' }] }, ANONYMOUS))
    expect(second.receipt.duplicate).toBe(false)
    expect(second.receipt.taskId).not.toBe(first.receipt.taskId)
  })

  test('takes the same id of another sender for another message', async () => {
    const store = await openStore()
    const message = text('hello')
    const first = await accepted(send(store, message, alice))
    const second = await accepted(send(store, message, bob))
    expect(second.receipt.taskId).not.toBe(first.receipt.taskId)
  })

  test('answers for a task of another in the very way it does for none', async () => {
    const store = await openStore()
    const { receipt } = await accepted(send(store, text('hello')))
    const unknown = randomUUID()
    expect(await send(store, text('hi', { taskId: receipt.taskId }), bob)).toEqual({
      result: 'refused',
      reason: 'task-not-found',
      taskId: receipt.taskId,
    })
    expect(await send(store, text('hi', { taskId: unknown }), bob)).toEqual({
      result: 'refused',
      reason: 'task-not-found',
      taskId: unknown,
    })
  })

  test('refuses a message that names another context than its task has, and leaves the task as it was', async () => {
    const store = await openStore()
    const { receipt } = await accepted(send(store, text('hello', { contextId: 'c1' })))
    const before = await store.get(receipt.taskId)
    expect(await send(store, text('hi', { taskId: receipt.taskId, contextId: 'c2' }))).toMatchObject({ reason: 'context' })
    expect(await store.get(receipt.taskId)).toEqual(before)
  })

  test('refuses a message to a task that has ended, naming the state', async () => {
    const store = await openStore()
    const { receipt } = await accepted(send(store, text('hello')))
    await cancel(store, AGENT, alice, receipt.taskId)
    expect(await send(store, text('hi', { taskId: receipt.taskId }))).toEqual({
      result: 'refused',
      reason: 'terminal',
      taskId: receipt.taskId,
      state: 'TASK_STATE_CANCELED',
    })
  })

  test('refuses a message when as many as allowed are waiting; commands, and what a turn has taken, do not count', async () => {
    const store = await openStore()
    const { receipt } = await accepted(send(store, text('one'), alice, { maxWaiting: 2 }))
    await accepted(send(store, text('two', { taskId: receipt.taskId }), alice, { maxWaiting: 2 }))
    expect(await send(store, text('three', { taskId: receipt.taskId }), alice, { maxWaiting: 2 })).toMatchObject({ reason: 'full' })
    await accepted(send(store, text('/status', { taskId: receipt.taskId }), alice, { maxWaiting: 2 }))
    await store.transact([receipt.taskId], (tx) => tx.openTurn(receipt.taskId, { id: 'run', attempt: 1 }))
    await accepted(send(store, text('three', { taskId: receipt.taskId }), alice, { maxWaiting: 2 }))
  })

  test('refuses what comes when the messages that wait are long together', async () => {
    const store = await openStore()
    const room = { maxWaitingBytes: 1000 }
    const { receipt } = await accepted(send(store, text('é'.repeat(250)), alice, room))
    await accepted(send(store, text('ü'.repeat(250), { taskId: receipt.taskId }), alice, room))
    expect(await send(store, text('one more', { taskId: receipt.taskId }), alice, room)).toMatchObject({ reason: 'full' })
  })
})

describe('cancel', () => {
  test('leaves the task CANCELED, and one of two at once is told that it has ended', async () => {
    const store = await openStore()
    const { receipt } = await accepted(send(store, text('hello')))
    const results = await Promise.all([cancel(store, AGENT, alice, receipt.taskId), cancel(store, AGENT, alice, receipt.taskId)])
    expect(results.map(({ result }) => result).sort()).toEqual(['canceled', 'refused'])
    const log = await store.read(receipt.taskId, 0, 100)
    expect(log.filter((entry) => entry.state === 'TASK_STATE_CANCELED')).toHaveLength(1)
  })

  test('does not find a task of another, nor an unknown one', async () => {
    const store = await openStore()
    const { receipt } = await accepted(send(store, text('hello')))
    expect(await cancel(store, AGENT, bob, receipt.taskId)).toMatchObject({ reason: 'task-not-found' })
    expect(await cancel(store, AGENT, alice, randomUUID())).toMatchObject({ reason: 'task-not-found' })
    expect(await cancel(store, 'other-agent', alice, receipt.taskId)).toMatchObject({ reason: 'task-not-found' })
  })
})
