import { defineAgent, type Turn } from '@moorage/agent'
import { createTaskClient } from '@moorage/workflow/client'
import { expect } from 'vitest'
import { openPostgres } from './open-postgres.js'
import { saying, stageTest } from './stage.js'

const ANYBODY = { subject: 'anonymous' }

stageTest('a task that is authorised at one process goes on in another, and ends the streams of a third', async ({ open }) => {
  const turns: Turn[] = []
  const agent = defineAgent({
    id: 'booker',
    turn(turn) {
      turns.push(turn)
      if (turn.authorization) return turn.complete(`${turn.text}: booked`)
      return turn.requireAuth('calendar', 'Let me read your calendar.')
    },
  })
  const stage = await open(agent, { openStore: openPostgres, worker: false })
  await stage.startWorker({ store: await stage.openStore() })
  const { taskId } = await stage.send('a train')
  const ended = stage.ended(taskId)
  await stage.until(taskId, ({ state }) => state === 'TASK_STATE_AUTH_REQUIRED')

  const client = createTaskClient({ store: await stage.openStore(), waker: stage.waker })
  const receipt = await client.authorize(taskId, ANYBODY, { scheme: 'calendar' })
  expect(saying(await ended)).toBe('a train: booked')
  expect(turns.map(({ authorization }) => authorization?.by.subject)).toEqual([undefined, 'anonymous'])
  expect(await client.authorize(taskId, ANYBODY)).toEqual({ ...receipt, duplicate: true })
})
