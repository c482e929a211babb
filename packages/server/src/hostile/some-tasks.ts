import type { TaskStore } from '@moorage/store'
import { playTurn, says } from '../testing/play.js'
import type { TestServer } from '../testing/test-server.js'
import { hello } from '../testing/test-tasks.js'

const OF_EACH_KIND = 6

/** Tasks that requests may meet: some that wait, that have ended, and that ask. */
export async function someTasks(server: TestServer, store: TaskStore): Promise<readonly string[]> {
  const ids: string[] = []
  for (let number = 0; number < OF_EACH_KIND; number += 1) {
    ids.push(await newTask(server, `waiting-${number}`))
    const [ended, asking] = [await newTask(server, `ended-${number}`), await newTask(server, `asking-${number}`)]
    await playTurn(store, ended, { kind: 'complete' })
    await playTurn(store, asking, { kind: 'ask', message: says('?') })
    ids.push(ended, asking)
  }
  return ids
}

async function newTask(server: TestServer, messageId: string): Promise<string> {
  const body = JSON.stringify({ message: hello({ messageId }), configuration: { returnImmediately: true } })
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
  const response = await server.fetch('/a2a/message:send', { method: 'POST', body, headers })
  return ((await response.json()) as { task: { id: string } }).task.id
}
