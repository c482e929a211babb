import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { artifactText, BINDINGS, connect, getTask, numbers, send, sendRequest } from '../clients.js'
import { rendezvousIn, startAgentProcess } from '../processes/agent-process.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'

const CHUNKS = 50

describe.each(BINDINGS)('a SIGKILL of the whole process in the middle of a stream, over %s', (binding) => {
  test('loses nothing: the task completes on the same data folder, each chunk once, a finished step not repeated', async () => {
    const folder = await temporaryFolder()
    const first = await startAgentProcess(join(folder, 'data'))
    onTestFinished(async () => {
      await first.end('SIGKILL')
    })
    const contextId = 'context-of-the-test'
    const request = sendRequest([{ count: 'once' }, { chunks: CHUNKS, everyMs: 60 }, { complete: 'done' }], { contextId })
    const taskId = await streamUntilKilled(await connect(first.url, binding), request, () => first.end('SIGKILL'))

    const second = await startAgentProcess(join(folder, 'data'))
    onTestFinished(async () => {
      await second.end('SIGTERM')
    })
    const client = await connect(second.url, binding)
    const completed = await until(async () => {
      const task = await getTask(client, taskId)
      return task.status.state === 'TASK_STATE_COMPLETED' && task
    })
    expect(artifactText(completed)).toBe(numbers(CHUNKS))
    expect(await rendezvousIn(join(folder, 'data')).counts()).toEqual({ once: { keys: 1, runs: 1 } })

    const next = await send(client, 'another message', { contextId })
    expect(next).toMatchObject({ contextId, status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Hello from TCK' }] } } })
    expect(next.id).not.toBe(taskId)
  })
})

/** Follows the stream until it has seen ten chunks, kills, and gives the id of the task. */
async function streamUntilKilled(
  client: Awaited<ReturnType<typeof connect>>,
  request: ReturnType<typeof sendRequest>,
  kill: () => Promise<unknown>,
): Promise<string> {
  let taskId = ''
  let chunks = 0
  try {
    for await (const { payload } of client.sendMessageStream(request)) {
      if (payload?.$case === 'task') taskId = payload.value.id
      if (payload?.$case === 'artifactUpdate') chunks += payload.value.artifact?.parts.length ?? 0
      if (chunks >= 10) await kill()
    }
  } catch (error) {
    if (chunks < 10) throw error
  }
  expect(chunks).toBeLessThan(CHUNKS)
  return taskId
}
