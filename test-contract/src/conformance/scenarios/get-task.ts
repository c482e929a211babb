import { expect } from 'vitest'
import { fresh, says, scripted, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { WireClient } from '../wire/wire-client.js'

scenario('the answer is the bare task, the same over both bindings', ['GET-01', 'BIND-07'], async ({ client, other }) => {
  const { task } = await other.result<{ task: WireTask }>('SendMessage', scripted([{ chunk: 'a', artifact: 'a' }, { complete: 'done' }]))
  expect(await client.result('GetTask', { id: task.id })).toEqual(task)
  expect(Object.keys(task).sort()).toEqual(['artifacts', 'contextId', 'history', 'id', 'status'])
})

scenario('a task that does not exist is not found', ['GET-02', 'ERR-01', 'ERR-17'], async ({ client, binding }) => {
  for (const id of [fresh('none'), '0', 'a/b?c#d %', 'é'.repeat(100)]) {
    expectError(await client.refusal('GetTask', { id }), binding, 'TASK_NOT_FOUND')
  }
})

scenario(
  'the history is what was said, and historyLength gives the end of it',
  ['GET-03', 'GET-04', 'GET-05', 'GET-07'],
  async ({ client, other }) => {
    const { id, said } = await conversation(client)
    const historyOf = async (fields: object) => (await other.result<WireTask>('GetTask', { id, ...fields })).history
    const whole = await historyOf({})
    expect(whole?.map(({ messageId }) => messageId)).toEqual(said)
    expect((await historyOf({ historyLength: 2 }))?.map(({ messageId }) => messageId)).toEqual(said.slice(-2))
    expect(await historyOf({ historyLength: 1000 })).toEqual(whole)
    expect(await other.result('GetTask', { id, historyLength: 0 })).not.toHaveProperty('history')
  },
)

/** Three questions and their answers; what was said, but for the last word, is the history. */
async function conversation(client: WireClient): Promise<{ readonly id: string; readonly said: readonly string[] }> {
  const said: string[] = []
  let id: string | undefined
  for (const end of ['ask', 'ask', 'complete']) {
    const request = scripted([{ [end]: `after ${said.length}` }], id === undefined ? {} : { taskId: id })
    const { task } = await client.result<{ task: WireTask }>('SendMessage', request)
    id = task.id
    said.push((request['message'] as { readonly messageId: string }).messageId, task.status.message?.messageId ?? 'none')
  }
  return { id: id ?? 'none', said: said.slice(0, -1) }
}

scenario('a historyLength that is no count is refused', ['GET-06', 'ERR-13'], async ({ client, binding }) => {
  const { task } = await client.result<{ task: WireTask }>('SendMessage', says('hello'))
  for (const historyLength of [-1, 1.5, 'abc', 2 ** 31]) {
    expectError(await client.refusal('GetTask', { id: task.id, historyLength }), binding, 'INVALID_PARAMS', ['historyLength'])
  }
})
