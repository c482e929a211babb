import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect, describeEvent, getTask, send } from '../clients.js'
import { rendezvousIn, startAgentProcess } from '../processes/agent-process.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'

test('a turn that ignores its abort cannot write after the cancel, and there is one terminal entry', async () => {
  const folder = await temporaryFolder()
  const server = await startAgentProcess(join(folder, 'data'))
  onTestFinished(async () => {
    await server.end('SIGTERM')
  })
  const client = await connect(server.url, 'HTTP+JSON')
  const rendezvous = rendezvousIn(join(folder, 'data'))
  const task = await send(
    client,
    [{ ignoreAbort: true }, { mark: 'running' }, { await: 'gate' }, { mark: 'after' }, { chunks: 1, everyMs: 0 }, { complete: 'too late' }],
    { returnImmediately: true },
  )
  const events: string[] = []
  const subscription = (async () => {
    for await (const event of client.resubscribeTask({ tenant: '', id: task.id })) events.push(describeEvent(event))
  })()
  await until(() => rendezvous.isMarked('running'))
  await until(() => events.length > 0)

  const canceled = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })
  const before = await getTask(client, canceled.id)
  expect(before.status.state).toBe('TASK_STATE_CANCELED')
  await rendezvous.open('gate')
  await until(() => rendezvous.isMarked('after'))
  await subscription
  // A later task of the same worker completes: by then the canceled turn's writes have been refused.
  await send(client, 'hello')
  expect(await getTask(client, task.id)).toEqual(before)
  expect(events.filter((event) => event === 'status TASK_STATE_CANCELED')).toHaveLength(1)
})
