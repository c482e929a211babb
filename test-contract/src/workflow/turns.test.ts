import { defineAgent } from '@moorage/agent'
import { expect } from 'vitest'
import { z } from 'zod'
import { createGate } from './gate.js'
import { eventTypes } from './history.js'
import { saying, says, stageTest } from './stage.js'

const echo = defineAgent({
  id: 'echo',
  async turn(turn) {
    await turn.artifact('echo', { name: 'Echo' }).append(turn.text)
    return turn.complete(`You said ${turn.text}`)
  },
})

stageTest('completes a simple message within 13 events', async ({ open }) => {
  const stage = await open(echo)
  const { taskId } = await stage.send('hello')
  const task = await stage.ended(taskId)
  expect(task.status.state).toBe('TASK_STATE_COMPLETED')
  expect(saying(task)).toBe('You said hello')
  expect(task.artifacts).toMatchObject([{ artifactId: 'echo', name: 'Echo', parts: [{ text: 'hello' }] }])
  expect(eventTypes(await stage.history(taskId, 'simple-message'))).toEqual([
    'workflowExecutionStarted',
    'workflowTaskScheduled',
    'workflowTaskStarted',
    'workflowTaskCompleted',
    'workflowExecutionUpdateAccepted',
    'activityTaskScheduled',
    'workflowExecutionUpdateCompleted',
    'activityTaskStarted',
    'activityTaskCompleted',
    'workflowTaskScheduled',
    'workflowTaskStarted',
    'workflowTaskCompleted',
    'workflowExecutionCompleted',
  ])
})

stageTest('gives messages that come meanwhile a turn of their own', async ({ open }) => {
  const gate = createGate<void>()
  const stage = await open(
    defineAgent({
      id: 'slow',
      async turn(turn) {
        await turn.status(`Working on ${turn.text}`)
        if (turn.text === 'first') await gate.promise
        return turn.complete(`Did ${turn.text}`)
      },
    }),
  )
  const { taskId } = await stage.send('first')
  await stage.until(taskId, says('Working on first'))
  await stage.send('second', { taskId })
  await stage.send('third', { taskId })
  gate.resolve()
  const task = await stage.ended(taskId)
  expect(saying(task)).toBe('Did second\nthird')
  const postponed = await stage.until(taskId, says('Did first'))
  expect(postponed.state).toBe('TASK_STATE_WORKING')
  await stage.history(taskId, 'message-meanwhile')
})

stageTest('asks, and goes on with the answer', async ({ open }) => {
  const stage = await open(
    defineAgent({
      id: 'asker',
      turn: (turn) => (turn.text === 'north' ? turn.complete('Shipped north') : turn.ask('Which region?')),
    }),
  )
  const { taskId } = await stage.send('ship it')
  const asked = await stage.parked(taskId, 1)
  expect(saying(asked)).toBe('Which region?')
  await stage.send('north', { taskId })
  expect(saying(await stage.ended(taskId))).toBe('Shipped north')
  await stage.history(taskId, 'ask-and-answer')
})

stageTest('parks a conversation where a task would complete', async ({ open }) => {
  const stage = await open(defineAgent({ id: 'chat', lifecycle: 'conversation', turn: (turn) => turn.complete(`Heard ${turn.text}`) }))
  const { taskId } = await stage.send('one')
  expect(saying(await stage.parked(taskId, 1))).toBe('Heard one')
  await stage.send('two', { taskId })
  expect(saying(await stage.parked(taskId, 2))).toBe('Heard two')
})

stageTest('parses the data part of an agent with a schema, and rejects what does not fit', async ({ open }) => {
  const stage = await open(
    defineAgent({
      id: 'weather',
      input: z.strictObject({ city: z.string() }),
      turn: (turn) => turn.complete(`Rain in ${turn.input.city}`),
    }),
  )
  const fits = await stage.send([{ data: { city: 'Oslo' } }])
  expect(saying(await stage.ended(fits.taskId))).toBe('Rain in Oslo')
  const unfit = await stage.send([{ data: { city: 7 } }])
  const rejected = await stage.ended(unfit.taskId)
  expect(rejected.status.state).toBe('TASK_STATE_REJECTED')
  expect(saying(rejected)).toBe('The message does not fit what this agent takes. data.city: Give a string.')
})

stageTest('records a long stream completely and in its order', async ({ open }) => {
  const words = Array.from({ length: 500 }, (_, index) => `${index} `)
  const stage = await open(
    defineAgent({
      id: 'writer',
      async turn(turn) {
        const answer = turn.artifact('answer')
        for (const word of words) await answer.append(word.padEnd(200, '.'))
        await answer.append('', { last: true })
        return turn.complete()
      },
    }),
  )
  const { taskId } = await stage.send('write')
  const task = await stage.ended(taskId)
  const texts = task.artifacts?.[0]?.parts.map((part) => ('text' in part ? part.text.replaceAll('.', '') : ''))
  expect(texts).toEqual([...words, ''])
})
