import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineAgent } from '@moorage/agent'
import { expect, onTestFinished } from 'vitest'
import { startTestEngine } from '../processes/test-engine.js'
import { until } from '../until.js'
import { saying, stageTest } from './stage.js'

const chat = defineAgent({ id: 'chat', lifecycle: 'conversation', turn: (turn) => turn.complete(`Heard ${turn.text}`) })

stageTest('accepts while Temporal is away, and catches up when it is back, even with an empty database', async ({ open }) => {
  const dir = await mkdtemp(join(tmpdir(), 'moorage-outage-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const first = await startTestEngine(join(dir, 'one'))
  const stage = await open(chat, { address: first.address, wakeAfterMs: 100, worker: false })
  const worker = await stage.startWorker()
  const { taskId } = await stage.send('before')
  await stage.parked(taskId, 1)

  await first.stop()
  await until(() => !worker.status().connected)
  await stage.send('meanwhile', { taskId })
  const other = await stage.send('new task')
  await stage.waker.idle()

  const second = await startTestEngine(join(dir, 'two'), first.port)
  onTestFinished(() => second.stop())
  expect(saying(await stage.parked(taskId, 2))).toBe('Heard meanwhile')
  expect(saying(await stage.parked(other.taskId, 1))).toBe('Heard new task')
})
