import { expect } from 'vitest'
import { fresh, says, scripted, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import type { WireError } from '../wire/wire-client.js'

scenario('both bindings say the same of a task, and of what is wrong', ['BIND-07', 'ERR-17'], async ({ client, other }) => {
  const contextId = fresh('both')
  const { task } = await client.result<{ task: WireTask }>(
    'SendMessage',
    scripted([{ chunk: 'a', artifact: 'a' }, { complete: 'done' }], { contextId }),
  )
  for (const [operation, request] of [
    ['GetTask', { id: task.id }],
    ['ListTasks', { contextId, includeArtifacts: true }],
  ] as const) {
    expect(await other.result(operation, request)).toEqual(await client.result(operation, request))
  }
  const wrong = [
    ['GetTask', { id: 'none' }],
    ['GetTask', { id: task.id, historyLength: -1 }],
    ['CancelTask', { id: task.id }],
    ['SubscribeToTask', { id: task.id }],
    ['SendMessage', says('hello', { taskId: task.id })],
    ['SendMessage', says('hello', { parts: [] })],
    ['GetExtendedAgentCard', {}],
  ] as const
  for (const [operation, request] of wrong) {
    expect(wordsOf(await other.refusal(operation, request))).toEqual(wordsOf(await client.refusal(operation, request)))
  }
})

function wordsOf({ message, details }: WireError) {
  return { message, details }
}
