import { defineAgent, type Turn } from '@moorage/agent'
import { expect, test } from 'vitest'
import { runTurn } from './activities/run-turn.js'
import { execution, openTurnStage } from './activities/turn-stage.js'
import { createTaskClient } from './task-client.js'

const me = { subject: 'anonymous' }

async function openStage() {
  const turns: Turn[] = []
  const agent = defineAgent({
    id: 'agent',
    turn(turn) {
      turns.push(turn)
      return turn.authorization ? turn.complete('booked') : turn.requireAuth('calendar', 'Let me read your calendar.')
    },
  })
  const stage = await openTurnStage(agent, 'book it')
  const woken: unknown[] = []
  const waker = { wake: (...wake: unknown[]) => void woken.push(wake) }
  let runs = 0
  const run = () => {
    runs += 1
    return runTurn(stage.ports, stage.taskId, execution({ scheduling: { id: `run/${runs}`, attempt: 1 } }))
  }
  return { ...stage, turns, woken, run, client: createTaskClient({ store: stage.ports.store, waker }) }
}

test('lets a task go on with its request, wakes it, and tells the turn who has authorised it', async () => {
  const { client, taskId, run, turns, woken, log } = await openStage()
  await run()
  const receipt = await client.authorize(taskId, { ...me, participant: 'anonymous' }, { scheme: 'calendar' })
  expect(receipt).toMatchObject({ taskId, position: 2, duplicate: false, state: 'TASK_STATE_WORKING' })
  expect(woken).toEqual([['agent', taskId, [{ position: 2, kind: 'authorization' }]]])
  expect(await run()).toEqual({ unhandled: [], last: 2, terminal: true })
  expect(await log()).toEqual(['SUBMITTED', 'WORKING', 'AUTH_REQUIRED Let me read your calendar.', 'WORKING', 'COMPLETED booked'])
  expect(turns[0]).not.toHaveProperty('authorization')
  expect(turns[1]).toMatchObject({
    text: 'book it',
    authorization: { scheme: 'calendar', by: { tenant: '', ...me, participant: 'anonymous' }, at: expect.stringMatching(/Z$/) },
  })
  expect(await client.authorize(taskId, me)).toEqual({ ...receipt, duplicate: true })
  expect(woken).toHaveLength(1)
})

test('wakes once more for what was authorised and has not run', async () => {
  const { client, taskId, run, woken } = await openStage()
  await run()
  await client.authorize(taskId, me)
  await client.authorize(taskId, me)
  expect(woken).toHaveLength(2)
})

test('leaves the next message a message: it begins a turn of its own words, which nothing authorises', async () => {
  const { client, send, taskId, run, turns } = await openStage()
  await run()
  await send('granted')
  await expect(client.authorize(taskId, me)).rejects.toMatchObject({ code: 'not-waiting', taskId, state: 'TASK_STATE_WORKING' })
  await run()
  expect(turns[1]?.text).toBe('granted')
  expect(turns[1]).not.toHaveProperty('authorization')
  await client.authorize(taskId, me)
  await run()
  expect(turns[2]?.text).toBe('book it\ngranted')
})

test('says why it was refused', async () => {
  const { client, taskId, run } = await openStage()
  await run()
  const refused = (...args: Parameters<typeof client.authorize>) => expect(client.authorize(...args)).rejects
  await refused('nope', me).toMatchObject({ name: 'TaskClientError', code: 'task-not-found', taskId: 'nope' })
  await refused(taskId, { subject: 'bob' }).toMatchObject({ code: 'task-not-found' })
  await refused(taskId, { ...me, tenant: 'other' }).toMatchObject({ code: 'task-not-found' })
  await refused(taskId, me, { scheme: 'mail' }).toMatchObject({ code: 'scheme' })
  await client.authorize(taskId, me)
  await run()
  await refused(taskId, me, { scheme: 'mail' }).toMatchObject({ code: 'terminal', state: 'TASK_STATE_COMPLETED' })
})
