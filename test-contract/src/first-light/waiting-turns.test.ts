import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Connection } from '@temporalio/client'
import { expect, onTestFinished, test } from 'vitest'
import { connect, getTask, send } from '../clients.js'
import { rendezvousIn, startAgentProcess } from '../processes/agent-process.js'
import { startTestEngine } from '../processes/test-engine.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'

const SENDS = 200
const SLOTS = 20

test(`with ${SENDS} blocking sends to long turns open, more than there are slots, everything else is answered`, async () => {
  const folder = await temporaryFolder()
  const engine = await startTestEngine(join(folder, 'engine'))
  onTestFinished(() => engine.stop())
  const server = await startAgentProcess(join(folder, 'data'), {
    TEMPORAL_ADDRESS: engine.address,
    MOORAGE_TURN_SLOTS: String(SLOTS),
    MOORAGE_AGENT: fileURLToPath(new URL('task-agent.ts', import.meta.url)),
  })
  onTestFinished(async () => {
    await server.end('SIGTERM')
  })
  const client = await connect(server.url, 'HTTP+JSON')
  const sends = Promise.all(Array.from({ length: SENDS }, () => send(client, [{ await: 'gate' }, { complete: 'done' }])))
  const { tasks } = await until(async () => {
    const page = await client.listTasks(everyTask)
    return page.totalSize === SENDS && page
  })
  const open = String(tasks[0]?.id)

  expect((await getTask(client, open)).id).toBe(open)
  const immediate = await send(client, 'hello', { returnImmediately: true })
  expect(immediate.status.state).toBe('TASK_STATE_SUBMITTED')
  expect((await send(client, '/echo at once', { taskId: open })).status.message?.parts).toEqual([{ text: 'at once' }])
  await until(async () => (await openUpdates(engine.address, engine.namespace)) === 0)

  await rendezvousIn(join(folder, 'data')).open('gate')
  expect(new Set((await sends).map((task) => task.status.state))).toEqual(new Set(['TASK_STATE_COMPLETED']))
})

const everyTask = {
  ...{ tenant: '', contextId: '', status: 0, pageSize: 1, pageToken: '', statusTimestampAfter: undefined },
}

/** Updates that some run has accepted and not answered, over all runs of the namespace. */
async function openUpdates(address: string, namespace: string): Promise<number> {
  const connection = await Connection.connect({ address })
  try {
    let open = 0
    const { executions } = await connection.workflowService.listWorkflowExecutions({ namespace, pageSize: 1000 })
    for (const { execution } of executions) {
      const { history } = await connection.workflowService.getWorkflowExecutionHistory({ namespace, execution: execution ?? null })
      for (const event of history?.events ?? []) {
        if (event.workflowExecutionUpdateAcceptedEventAttributes) open += 1
        if (event.workflowExecutionUpdateCompletedEventAttributes) open -= 1
      }
    }
    return open
  } finally {
    await connection.close()
  }
}
