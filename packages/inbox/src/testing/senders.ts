/**
 * A store and who sends to it, for tests of what may enter a task.
 * @module
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MessageJson } from '@moorage/protocol'
import type { Principal, TaskStore } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import { onTestFinished } from 'vitest'
import { type ReceiveOptions, type Reception, receive } from '../receive.js'

export const AGENT = 'support'
export const alice: Principal = { tenant: 't', subject: 'alice', participant: 'alice', claims: {} }
export const bob: Principal = { ...alice, subject: 'bob', participant: 'bob' }

export async function openStore(): Promise<TaskStore> {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-inbox-'))
  const store = await openSqliteStore({ path: join(folder, 'test.db') })
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  return store
}

export function text(content: string, fields: Partial<MessageJson> = {}): MessageJson {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: content }], ...fields }
}

export function send(
  store: TaskStore,
  message: MessageJson,
  principal: Principal = alice,
  options: Partial<ReceiveOptions> = {},
): Promise<Reception> {
  return receive(store, { agent: AGENT, commands: new Set(['status']), ...options }, principal, message)
}

/** @throws Error where it was refused */
export async function accepted(reception: Promise<Reception>): Promise<Extract<Reception, { result: 'accepted' }>> {
  const result = await reception
  if (result.result !== 'accepted') throw new Error(`Refused: ${result.reason}`)
  return result
}
