import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { connect, getTask, send } from '../clients.js'
import { freePort, startAgentProcess, startProcess } from '../processes/agent-process.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'

const DIES_BEFORE_WAKE = fileURLToPath(new URL('../processes/dies-before-wake.ts', import.meta.url))

test('a message that was recorded before the process died, and woke nobody, is run after the restart; its retry gets the same task', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const port = await freePort()
  const dying = await startProcess(
    ['--import', import.meta.resolve('tsx'), DIES_BEFORE_WAKE, dataDir, String(port)],
    `http://127.0.0.1:${port}`,
  )
  const messageId = randomUUID()
  const client = await connect(dying.url, 'HTTP+JSON')
  await expect(send(client, 'remember me', { messageId, returnImmediately: true })).rejects.toThrow()
  expect(await dying.end('SIGTERM')).toBeNull()

  const server = await startAgentProcess(dataDir)
  onTestFinished(async () => {
    await server.end('SIGTERM')
  })
  const restarted = await connect(server.url, 'HTTP+JSON')
  const task = await until(async () => {
    const { tasks } = await restarted.listTasks(firstPage)
    return tasks[0] && (await getTask(restarted, tasks[0].id))
  })
  const completed = await until(async () => {
    const now = await getTask(restarted, task.id)
    return now.status.state === 'TASK_STATE_COMPLETED' && now
  })
  expect(completed.status.message?.parts).toEqual([{ text: 'Hello from TCK' }])
  expect((await send(restarted, 'remember me', { messageId })).id).toBe(task.id)
  expect((await restarted.listTasks(firstPage)).totalSize).toBe(1)
})

const firstPage = { tenant: '', contextId: '', status: 0, pageSize: 10, pageToken: '', statusTimestampAfter: undefined }
