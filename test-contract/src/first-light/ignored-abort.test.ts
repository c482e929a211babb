import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect, describeEvent, getTask, send } from '../clients.js'
import { startAgentProcess } from '../processes/agent-process.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until, untilFile } from '../until.js'

test('a turn that ignores its abort cannot write after the cancel, and there is one terminal entry', async () => {
  const folder = await temporaryFolder()
  const server = await startAgentProcess(join(folder, 'data'))
  onTestFinished(async () => {
    await server.end('SIGTERM')
  })
  const client = await connect(server.url, 'HTTP+JSON')
  const [running, gate, after] = ['running', 'gate', 'after'].map((name) => join(folder, name)) as [string, string, string]
  const task = await send(
    client,
    [{ ignoreAbort: true }, { touch: running }, { await: gate }, { touch: after }, { chunks: 1, everyMs: 0 }, { complete: 'too late' }],
    { returnImmediately: true },
  )
  const events: string[] = []
  const subscription = (async () => {
    for await (const event of client.resubscribeTask({ tenant: '', id: task.id })) events.push(describeEvent(event))
  })()
  await untilFile(running)
  await until(() => events.length > 0)

  const canceled = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })
  const before = await getTask(client, canceled.id)
  expect(before.status.state).toBe('TASK_STATE_CANCELED')
  await writeFile(gate, '')
  await untilFile(after)
  await subscription
  // A later task of the same worker completes: by then the canceled turn's writes have been refused.
  await send(client, 'hello')
  expect(await getTask(client, task.id)).toEqual(before)
  expect(events.filter((event) => event === 'status TASK_STATE_CANCELED')).toHaveLength(1)
  expect(await readFile(after, 'utf8')).toBe('')
})
