import { defineAgent } from '@moorage/agent'
import { expect, onTestFinished } from 'vitest'
import { eventTypes } from '../workflow/history.js'
import { saying, stageTest } from '../workflow/stage.js'
import { startLimitedEngine } from './limited-engine.js'

const MOST_UPDATES = 10
const MESSAGES = 3 * MOST_UPDATES

stageTest('goes on as another run before Temporal takes no more Updates of a parked conversation', async ({ open }) => {
  const engine = await startLimitedEngine({ 'history.maxTotalUpdates': MOST_UPDATES })
  onTestFinished(() => engine.stop())
  const stage = await open(defineAgent({ id: 'chat', lifecycle: 'conversation', turn: (turn) => turn.complete(`Heard ${turn.text}`) }), {
    address: engine.address,
  })
  const { taskId } = await stage.send('1')
  const runs = new Set<string>()
  for (let position = 2; position <= MESSAGES; position += 1) {
    await stage.parked(taskId, position - 1)
    runs.add((await stage.run(taskId).describe()).runId)
    await stage.send(`${position}`, { taskId })
    await stage.waker.idle()
  }
  expect(saying(await stage.parked(taskId, MESSAGES))).toBe(`Heard ${MESSAGES}`)
  expect(runs.size).toBeGreaterThanOrEqual(3)
  for (const runId of runs) {
    const history = await stage.client.workflow.getHandle(stage.run(taskId).workflowId, runId).fetchHistory()
    const types = eventTypes(history)
    expect(types.filter((type) => type === 'workflowExecutionUpdateAccepted').length).toBeLessThanOrEqual(MOST_UPDATES)
    expect(types).not.toContain('workflowExecutionSignaled')
  }
})
