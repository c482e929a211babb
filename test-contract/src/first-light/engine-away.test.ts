import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect, describeEvent, getTask, send } from '../clients.js'
import { freePort, startAgentProcess } from '../processes/agent-process.js'
import { startTestEngine } from '../processes/test-engine.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'

test.each([
  ['comes back', false],
  ['comes back without its database', true],
])('while the engine is away messages are accepted, and they complete when it %s', async (_how, withoutDatabase) => {
  const folder = await temporaryFolder()
  const engineFolder = join(folder, 'engine')
  const port = await freePort()
  const engine = await startTestEngine(engineFolder, port)
  onTestFinished(() => engine.stop())
  const server = await startAgentProcess(join(folder, 'data'), { TEMPORAL_ADDRESS: engine.address })
  onTestFinished(async () => {
    await server.end('SIGTERM')
  })
  const client = await connect(server.url, 'JSONRPC')
  expect((await send(client, 'while it is there')).status.state).toBe('TASK_STATE_COMPLETED')
  const asked = await send(client, [{ ask: 'Which region?' }])
  await engine.stop()

  const task = await send(client, 'while it is away', { returnImmediately: true })
  await send(client, 'north', { taskId: asked.id, returnImmediately: true })
  expect((await getTask(client, task.id)).status.state).toBe('TASK_STATE_SUBMITTED')
  await until(async () => (await readiness(server.url)).status === 'degraded')
  const events: string[] = []
  const subscription = (async () => {
    for await (const event of client.resubscribeTask({ tenant: '', id: task.id })) events.push(describeEvent(event))
  })()
  await until(() => events.length > 0)

  if (withoutDatabase) await rm(engineFolder, { recursive: true })
  const returned = await startTestEngine(engineFolder, port)
  onTestFinished(() => returned.stop())
  await subscription
  expect(events).toEqual(['task TASK_STATE_SUBMITTED', 'status TASK_STATE_WORKING', 'status TASK_STATE_COMPLETED'])
  await until(async () => (await getTask(client, asked.id)).status.state === 'TASK_STATE_COMPLETED')
})

async function readiness(url: string): Promise<{ readonly status: string }> {
  const response = await fetch(`${url}/readyz`)
  expect(response.status).toBe(200)
  return (await response.json()) as { status: string }
}
