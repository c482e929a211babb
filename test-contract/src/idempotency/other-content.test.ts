import { randomUUID } from 'node:crypto'
import { type Reception, receive } from '@moorage/inbox/receive'
import type { MessageJson } from '@moorage/protocol'
import type { Principal, TaskStore } from '@moorage/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'
import { DATABASES } from './databases.js'

const ALICE: Principal = { tenant: '', subject: 'alice', participant: 'alice', claims: {} }

const ROUNDS = 10
/** How often each content is sent in a round, at each of the replicas in turn. */
const TIMES = 5

describe.each(DATABASES)('other content under one id at two replicas at once, on %s', (_, openStore) => {
  async function openReplicas(): Promise<readonly [TaskStore, TaskStore]> {
    const dir = await temporaryFolder()
    const open = async () => {
      const store = await openStore(dir, {})
      onTestFinished(() => store.close())
      return store
    }
    return [await open(), await open()]
  }

  function send(store: TaskStore, message: MessageJson): Promise<Reception> {
    return receive(store, { agent: 'counter', commands: new Set() }, ALICE, message)
  }

  async function newTask(store: TaskStore): Promise<string> {
    const reception = await send(store, messageOf(randomUUID(), 'hello'))
    if (reception.result === 'refused') throw new Error(`refused: ${reception.reason}`)
    return reception.receipt.taskId
  }

  /** Sends both messages at once, at both replicas: one of them is accepted, once, and the other is refused. */
  async function race(stores: readonly [TaskStore, TaskStore], messages: readonly [MessageJson, MessageJson]): Promise<void> {
    const received = await Promise.all(
      messages.map((message, side) =>
        Promise.all(Array.from({ length: TIMES }, (_item, index) => send(stores[(index + side) % 2 === 0 ? 0 : 1], message))),
      ),
    )
    const winner = received.findIndex((receptions) => receptions.some(({ result }) => result === 'accepted'))
    const [won = [], lost = []] = winner === 0 ? received : received.toReversed()
    const receipts = won.flatMap((reception) => (reception.result === 'accepted' ? [reception.receipt] : []))
    expect(receipts).toHaveLength(TIMES)
    expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
    expect(new Set(receipts.map(({ taskId, position }) => `${taskId} ${position}`)).size).toBe(1)
    expect(lost).toEqual(Array.from(lost, () => ({ result: 'refused', reason: 'content' })))
    const task = (await stores[0].get(receipts[0]?.taskId ?? ''))?.task
    const said = task?.history?.filter(({ messageId }) => messageId === messages[0].messageId)
    expect(said).toMatchObject([{ parts: messages[winner]?.parts }])
  }

  test('makes one task, of one of them', async () => {
    const stores = await openReplicas()
    for (let round = 0; round < ROUNDS; round += 1) {
      const messageId = randomUUID()
      await race(stores, [messageOf(messageId, 'one'), messageOf(messageId, 'other')])
    }
  })

  test('puts one of them into the task', async () => {
    const stores = await openReplicas()
    const taskId = await newTask(stores[0])
    for (let round = 0; round < ROUNDS; round += 1) {
      const messageId = randomUUID()
      await race(stores, [messageOf(messageId, 'one', taskId), messageOf(messageId, 'other', taskId)])
    }
    expect((await stores[0].record(taskId))?.position).toBe(1 + ROUNDS)
  })

  test('puts it into one of two tasks', async () => {
    const stores = await openReplicas()
    const tasks = [await newTask(stores[0]), await newTask(stores[1])] as const
    for (let round = 0; round < ROUNDS; round += 1) {
      const messageId = randomUUID()
      await race(stores, [messageOf(messageId, 'same', tasks[0]), messageOf(messageId, 'same', tasks[1])])
    }
    const positions = await Promise.all(tasks.map(async (id) => (await stores[0].record(id))?.position ?? 0))
    expect(positions.reduce((sum, position) => sum + position)).toBe(2 + ROUNDS)
  })
})

function messageOf(messageId: string, text: string, taskId?: string): MessageJson {
  return { messageId, role: 'ROLE_USER', parts: [{ text }], ...(taskId !== undefined && { taskId }) }
}
