import { expect } from 'vitest'
import { fresh, says, type WireTask } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'
import type { WireClient } from '../wire/wire-client.js'
import type { TaskList } from './list-tasks.js'

async function newTasks(client: WireClient, count: number, contextId: string): Promise<readonly string[]> {
  const sends = Array.from({ length: count }, () => client.result<{ task: WireTask }>('SendMessage', says('hello', { contextId })))
  return (await Promise.all(sends)).map(({ task }) => task.id)
}

scenario(
  'pages have every task once, while others are added, and the last one says so',
  ['LIST-02', 'LIST-04', 'LIST-09', 'LIST-11'],
  async ({ client, other }) => {
    const contextId = fresh('pages')
    const ids = await newTasks(other, 6, contextId)
    const seen: string[] = []
    let pageToken = ''
    for (let page = 1; page <= 3; page++) {
      const list: TaskList = await client.result('ListTasks', { contextId, pageSize: 2, ...(pageToken && { pageToken }) })
      expect(list.tasks).toHaveLength(2)
      seen.push(...list.tasks.map(({ id }) => id))
      pageToken = list.nextPageToken
      expect(pageToken === '').toBe(page === 3)
      await newTasks(other, 1, contextId)
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
  },
)

scenario('a page holds 50 where nothing is said, and 1 to 100 where something is', ['LIST-05', 'ERR-13'], async ({ client, binding }) => {
  const contextId = fresh('size')
  expect(await client.result('ListTasks', { contextId })).toMatchObject({ pageSize: 50 })
  for (const pageSize of [1, 100]) expect(await client.result('ListTasks', { contextId, pageSize })).toMatchObject({ pageSize })
  for (const pageSize of [0, -1, 101, 150, 'abc']) {
    expectError(await client.refusal('ListTasks', { contextId, pageSize }), binding, 'INVALID_PARAMS', ['pageSize'])
  }
})

scenario('a token that is forged, or for another list, is refused', ['LIST-06', 'ERR-13'], async ({ client, other, binding }) => {
  const contextId = fresh('token')
  await newTasks(other, 2, contextId)
  const { nextPageToken } = await other.result<TaskList>('ListTasks', { contextId, pageSize: 1 })
  const forged = `${nextPageToken.slice(0, 3)}${nextPageToken[3] === 'A' ? 'B' : 'A'}${nextPageToken.slice(4)}`
  const wrong: readonly Fields[] = [
    { contextId, pageToken: 'garbage' },
    { contextId, pageToken: forged },
    { contextId: fresh('other'), pageToken: nextPageToken },
    { contextId, status: 'TASK_STATE_COMPLETED', pageToken: nextPageToken },
  ]
  for (const request of wrong) expectError(await client.refusal('ListTasks', request), binding, 'INVALID_PARAMS', ['pageToken'])
  expect((await client.result<TaskList>('ListTasks', { contextId, pageSize: 1, pageToken: nextPageToken })).tasks).toHaveLength(1)
})
