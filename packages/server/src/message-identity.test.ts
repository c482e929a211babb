import { randomUUID } from 'node:crypto'
import type { MessageJson, TaskJson } from '@moorage/protocol'
import { ANONYMOUS, type Principal } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { BINDINGS, type Fields } from './testing/bindings.js'
import { startKnownCallers } from './testing/known-callers.js'
import { playTurn, says } from './testing/play.js'
import type { TestServer } from './testing/test-server.js'

const ALICE: Principal = { tenant: '', subject: 'alice', participant: 'alice', claims: {} }
const BOB: Principal = { ...ALICE, subject: 'bob', participant: 'bob' }
/** The same caller, who acts for somebody else. */
const FOR_CAROL: Principal = { ...ALICE, participant: 'carol' }

const MODES = ['blocking', 'returnImmediately', 'streaming'] as const

function text(said: string, fields: Partial<MessageJson> = {}): MessageJson {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: said }], ...fields }
}

describe.each(BINDINGS)('a message id over $name', (binding) => {
  const call = (server: TestServer, message: MessageJson, mode: (typeof MODES)[number] = 'returnImmediately') =>
    binding.call(server, mode === 'streaming' ? 'sendStreamingMessage' : 'sendMessage', {
      message,
      configuration: { returnImmediately: mode === 'returnImmediately' },
    })

  const send = async (server: TestServer, message: MessageJson) =>
    ((await binding.result(await call(server, message))) as { task: TaskJson }).task

  /** A task that asks, with the message that made it. */
  async function ask(server: TestServer): Promise<{ readonly message: MessageJson; readonly task: TaskJson }> {
    const message = text('hello')
    const task = await send(server, message)
    await playTurn(server.store, task.id, { kind: 'ask', message: says('Which?') })
    return { message, task }
  }

  async function expectRefused(response: Response): Promise<void> {
    const { code, httpStatus, details } = await binding.error(response)
    expect({ code, httpStatus }).toEqual(binding.name === 'JSON-RPC' ? { code: -32602, httpStatus: 200 } : { code: 400, httpStatus: 400 })
    const fields = details.flatMap((detail) => (detail['fieldViolations'] ?? []) as readonly Fields[])
    expect(fields).toEqual([{ field: 'message.messageId', description: expect.stringContaining('sent before with other content') }])
  }

  test.each(MODES)('is refused with other content from a caller that is known, sent %s', async (mode) => {
    const alice = (await startKnownCallers()).as(ALICE)
    const { message, task } = await ask(alice)
    const answer = text('north', { taskId: task.id })
    await send(alice, answer)
    const before = await alice.store.get(task.id)
    const others: readonly Partial<MessageJson>[] = [
      { parts: [{ text: 'other words' }] },
      { metadata: { more: true } },
      { contextId: task.contextId },
      { taskId: task.id },
    ]
    for (const other of others) await expectRefused(await call(alice, { ...message, ...other }, mode))
    await expectRefused(await call(alice, { ...answer, parts: [{ text: 'south' }] }, mode))
    const { taskId: _, ...withoutTask } = answer
    await expectRefused(await call(alice, withoutTask, mode))
    expect(await alice.store.get(task.id)).toEqual(before)
  })

  test('is refused for another task of the same caller, also where that one has ended', async () => {
    const alice = (await startKnownCallers()).as(ALICE)
    const [one, other, ended] = [await ask(alice), await ask(alice), await ask(alice)]
    await binding.result(await binding.call(alice, 'cancelTask', { id: ended.task.id }))
    const answer = text('north', { taskId: one.task.id })
    await send(alice, answer)
    for (const { task } of [other, ended]) await expectRefused(await call(alice, { ...answer, taskId: task.id }))
  })

  test.each([
    ['subject', BOB],
    ['participant', FOR_CAROL],
    ['tenant', { ...ALICE, tenant: 'elsewhere' }],
  ])('is another message from another %s', async (_, stranger) => {
    const callers = await startKnownCallers()
    const { message, task } = await ask(callers.as(ALICE))
    const foreign = await send(callers.as(stranger), { ...message, parts: [{ text: 'other words' }] })
    expect(foreign.id).not.toBe(task.id)
    const same = text('the same words')
    expect((await send(callers.as(stranger), same)).id).not.toBe((await send(callers.as(ALICE), same)).id)
  })

  test('is the same message from the same caller, whatever the order of its fields', async () => {
    const alice = (await startKnownCallers()).as(ALICE)
    const message = text('hello')
    const first = await send(alice, message)
    expect((await send(alice, Object.fromEntries(Object.entries(message).reverse()) as unknown as MessageJson)).id).toBe(first.id)
  })

  test('is another message with other content where nobody knows who calls', async () => {
    const anyone = (await startKnownCallers()).as(ANONYMOUS)
    const { message, task } = await ask(anyone)
    expect((await send(anyone, { ...message, parts: [{ text: 'other words' }] })).id).not.toBe(task.id)
    expect((await send(anyone, { ...message, contextId: task.contextId })).id).not.toBe(task.id)
    expect((await send(anyone, message)).id).toBe(task.id)
    const further = await send(anyone, { ...message, taskId: task.id })
    expect(further).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_WORKING' } })
    expect((await anyone.store.record(task.id))?.position).toBe(2)
  })
})
