import type { Fields } from './bindings.js'
import { playTurn } from './play.js'
import type { TestServer } from './test-server.js'

/** A message that says hello. */
export const hello = (fields: Fields = {}): Fields => ({ messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }], ...fields })
/** A new task, whose message waits. */
export async function newTask({ store, fetch, woken }: TestServer): Promise<string> {
  const body = JSON.stringify({ message: hello(), configuration: { returnImmediately: true } })
  const headers = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' }
  await fetch('/a2a/message:send', { method: 'POST', body, headers })
  const { taskId } = await woken(1)
  await store.transact([taskId], (tx) => tx.postponeWake(taskId))
  return taskId
}

/** A task that has ended. */
export async function endedTask(server: TestServer, kind: 'complete' | 'fail' | 'reject'): Promise<string> {
  const taskId = await newTask(server)
  await playTurn(server.store, taskId, { kind })
  return taskId
}

const watched = { participant: 'anonymous', role: 'watcher' } as const

/** A task in which the caller only watches. */
export async function watchedTask({ store }: TestServer): Promise<string> {
  const message = { messageId: 'other', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const
  const sender = { tenant: '', subject: 'other', participant: 'other', claims: {} }
  const task = { id: 'watched', agent: 'tester', tenant: '', contextId: 'c', participants: [watched] }
  await store.transact(['watched'], (tx) => tx.create(task, { key: 'k', digest: 'd', message, sender }))
  return 'watched'
}
