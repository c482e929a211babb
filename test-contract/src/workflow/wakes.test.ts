import { defineAgent } from '@moorage/agent'
import { expect } from 'vitest'
import { saying, stageTest } from './stage.js'

const chat = defineAgent({ id: 'chat', lifecycle: 'conversation', turn: (turn) => turn.complete(`Heard ${turn.text}`) })

stageTest('ends a run that nothing wakes, and starts a new one for a later message', async ({ open }) => {
  const stage = await open(chat, { policy: { parkedMs: 200 } })
  const { taskId } = await stage.send('one')
  await stage.parked(taskId, 1)
  await stage.history(taskId, 'parked-run')
  const { runId } = await stage.run(taskId).describe()
  await stage.send('two', { taskId })
  expect(saying(await stage.parked(taskId, 2))).toBe('Heard two')
  expect((await stage.run(taskId).describe()).runId).not.toBe(runId)
})

stageTest('loses no message that meets a run which is just closing', async ({ open }) => {
  // No sweep comes to help.
  const stage = await open(chat, { policy: { parkedMs: 1 }, wakeAfterMs: 600_000 })
  const { taskId } = await stage.send('1')
  await stage.parked(taskId, 1)
  for (let position = 2; position <= 40; position += 1) {
    await stage.send(`${position}`, { taskId })
    expect(saying(await stage.parked(taskId, position))).toBe(`Heard ${position}`)
  }
})

stageTest('handles 30 messages at once, each of them once', async ({ open }) => {
  const heard: string[] = []
  const stage = await open(
    defineAgent({
      id: 'listener',
      lifecycle: 'conversation',
      turn(turn) {
        heard.push(...turn.messages.flatMap((message) => message.parts).map((part) => ('text' in part ? part.text : '')))
        return turn.park()
      },
    }),
  )
  const { taskId } = await stage.send('first')
  const texts = Array.from({ length: 30 }, (_, index) => `message ${index}`)
  await Promise.all(texts.map((text) => stage.send(text, { taskId })))
  await stage.parked(taskId, 31)
  expect(heard.sort()).toEqual(['first', ...texts].sort())
})

stageTest('accepts without a worker, and handles it once one comes', async ({ open }) => {
  const stage = await open(chat, { worker: false })
  const { taskId } = await stage.send('anybody there?')
  await stage.waker.idle()
  await stage.startWorker()
  expect(saying(await stage.parked(taskId, 1))).toBe('Heard anybody there?')
})

stageTest('sweeps up a message whose wake was lost', async ({ open }) => {
  const stage = await open(chat, { wakeAfterMs: 100 })
  const { taskId } = await stage.send('lost', { wake: false })
  expect(saying(await stage.parked(taskId, 1))).toBe('Heard lost')
})
