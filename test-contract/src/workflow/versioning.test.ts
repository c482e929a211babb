import { randomUUID } from 'node:crypto'
import { defineAgent } from '@moorage/agent'
import { expect } from 'vitest'
import { makeCurrent } from './make-current.js'
import { type Stage, saying, stageTest } from './stage.js'

function chat(build: string) {
  return defineAgent({ id: 'chat', lifecycle: 'conversation', turn: (turn) => turn.complete(`${turn.text} heard by ${build}`) })
}

async function startVersion(stage: Stage, deploymentName: string, buildId: string) {
  const worker = await stage.startWorker({ agents: [chat(buildId)], versioning: { deploymentName, buildId } })
  await makeCurrent(stage.client, deploymentName, buildId)
  return worker
}

stageTest('moves an open conversation to the version that is made current, while the older one still runs', async ({ open }) => {
  const stage = await open(chat('nobody'), { worker: false })
  const deploymentName = `moorage-${randomUUID()}`
  await startVersion(stage, deploymentName, 'build-1')
  const { taskId } = await stage.send('one')
  expect(saying(await stage.parked(taskId, 1))).toBe('one heard by build-1')
  const { runId } = await stage.run(taskId).describe()

  await startVersion(stage, deploymentName, 'build-2')
  await stage.send('two', { taskId })
  expect(saying(await stage.parked(taskId, 2))).toBe('two heard by build-2')
  expect((await stage.run(taskId).describe()).runId).toBe(runId)
  const other = await stage.send('three')
  expect(saying(await stage.parked(other.taskId, 1))).toBe('three heard by build-2')
})

stageTest('lets an open conversation go on when workers without a version give way to those with one', async ({ open }) => {
  const stage = await open(chat('no version'), { worker: false })
  const unversioned = await stage.startWorker()
  const { taskId } = await stage.send('one')
  expect(saying(await stage.parked(taskId, 1))).toBe('one heard by no version')
  await startVersion(stage, `moorage-${randomUUID()}`, 'build-1')
  await unversioned.stop()
  await stage.send('two', { taskId })
  expect(saying(await stage.parked(taskId, 2))).toBe('two heard by build-1')
})

stageTest('registers the longest names that a worker takes', async ({ open }) => {
  const stage = await open(chat('nobody'), { worker: false })
  await startVersion(stage, `moorage-${randomUUID()}`.padEnd(255, '-'), '1.2:3'.padEnd(255, '.'))
  const { taskId } = await stage.send('one')
  expect(saying(await stage.parked(taskId, 1))).toMatch(/^one heard by 1\.2:3/)
})
