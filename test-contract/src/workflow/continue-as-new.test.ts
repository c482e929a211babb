import { defineAgent } from '@moorage/agent'
import { expect, onTestFinished } from 'vitest'
import { startLimitedEngine } from '../limits/limited-engine.js'
import { createGate } from './gate.js'
import { eventTypes, recordHistory } from './history.js'
import { saying, says, stageTest } from './stage.js'

stageTest('continues as a new run when its history is long, and loses nothing on the way', async ({ open }) => {
  const engine = await startLimitedEngine({ 'limit.historyCount.suggestContinueAsNew': 40 })
  onTestFinished(() => engine.stop())
  const gate = createGate<void>()
  const stage = await open(
    defineAgent({
      id: 'patient',
      lifecycle: 'conversation',
      async turn(turn) {
        await turn.status(`Begun ${turn.text}`)
        if (turn.text === 'first') await gate.promise
        return turn.complete(`Heard ${turn.text}`)
      },
    }),
    { address: engine.address },
  )
  const { taskId } = await stage.send('first')
  await stage.until(taskId, says('Begun first'))
  const { runId } = await stage.run(taskId).describe()
  for (let wake = 0; wake < 40; wake += 1) await stage.waker.deliver('patient', taskId, [{ position: 1, kind: 'message' }])
  await stage.send('second', { taskId })
  await stage.waker.idle()
  gate.resolve()
  expect(saying(await stage.parked(taskId, 2))).toBe('Heard second')
  const client = stage.run(taskId).client
  const history = await client.getHandle(stage.run(taskId).workflowId, runId).fetchHistory()
  expect(eventTypes(history).at(-1)).toBe('workflowExecutionContinuedAsNew')
  await recordHistory('continue-as-new', history)
})
