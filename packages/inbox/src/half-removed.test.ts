import type { MessageJson } from '@moorage/protocol'
import { ANONYMOUS, StoreUnavailableError } from '@moorage/store'
import { expect, test } from 'vitest'
import { receive } from './receive.js'
import { AGENT, openStore } from './testing/senders.js'

const first: MessageJson = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] }

test('a first message is to be sent again while its task is being removed, and then makes a new one', async () => {
  const store = await openStore()
  const send = (message: MessageJson) => receive(store, { agent: AGENT, commands: new Set() }, ANONYMOUS, message)
  const reception = await send(first)
  if (reception.result === 'refused') throw new Error(reception.reason)
  const { taskId } = reception.receipt
  await store.transact([taskId], async (tx) => {
    const opening = await tx.openTurn(taskId, { id: 'run', attempt: 1 })
    if (opening.kind !== 'opened') throw new Error(opening.kind)
    // More than one call removes.
    for (let step = 0; step < 10_500; step++) await tx.recordStep(taskId, opening.fence, `step ${step}`, step)
    await tx.endTurn(taskId, opening.fence, { kind: 'complete' })
  })
  expect(await store.removeTasks(AGENT, 0)).toEqual({ removed: 1, more: true })
  const again = send(first)
  await expect(again).rejects.toBeInstanceOf(StoreUnavailableError)
  await expect(again).rejects.toThrow(`Task ${taskId} is being removed: send the message again`)
  expect(await send({ ...first, messageId: 'm-2', taskId })).toMatchObject({ result: 'refused', reason: 'task-not-found' })
  expect(await store.removeTasks(AGENT, 0)).toEqual({ removed: 0, more: false })
  expect(await send(first)).toMatchObject({ result: 'accepted', receipt: { taskId, position: 1, duplicate: false } })
})
