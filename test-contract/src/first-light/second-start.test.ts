import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect, send } from '../clients.js'
import { freePort, runAgentProcess, startAgentProcess } from '../processes/agent-process.js'
import { temporaryFolder } from '../temporary-folder.js'

test('a second start is told which data folder or port is taken, and by what; the first one goes on', async () => {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  const first = await startAgentProcess(dataDir)
  onTestFinished(async () => {
    await first.end('SIGTERM')
  })
  const sameFolder = await runAgentProcess({ MOORAGE_DATA_DIR: dataDir, PORT: String(await freePort()) })
  expect(sameFolder.code).toBeGreaterThan(0)
  expect(sameFolder.output).toContain(dataDir)
  expect(sameFolder.output).toContain(first.url)
  expect(sameFolder.output).not.toMatch(/\n\s+at /)

  const port = new URL(first.url).port
  const samePort = await runAgentProcess({ MOORAGE_DATA_DIR: join(folder, 'other'), PORT: port })
  expect(samePort.code).toBeGreaterThan(0)
  expect(samePort.output).toContain(port)
  expect(samePort.output).not.toMatch(/\n\s+at /)

  expect((await send(await connect(first.url, 'JSONRPC'), 'still here')).status.state).toBe('TASK_STATE_COMPLETED')
})
