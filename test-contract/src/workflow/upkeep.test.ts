import { randomUUID } from 'node:crypto'
import { defineAgent } from '@moorage/agent'
import { heartbeatScheduleId, retentionScheduleId } from '@moorage/workflow/contract'
import { ScheduleClient, type ScheduleHandle } from '@temporalio/client'
import { describe, expect } from 'vitest'
import { until } from '../until.js'
import { untilSuccess } from '../until-success.js'
import { recordHistory } from './history.js'
import { createListener } from './listener.js'
import { makeCurrent } from './make-current.js'
import { openPostgres } from './open-postgres.js'
import { type Stage, type StoreOpener, stageTest } from './stage.js'

/** What has ended expires at once, and the audit never. */
const retention = { tasksMs: 1, auditMs: 0 }

const echo = defineAgent({ id: 'echo', lifecycle: 'task', turn: (turn) => (turn.text === 'ask' ? turn.ask('What?') : turn.complete()) })

const databases: readonly (readonly [string, { readonly openStore?: StoreOpener }])[] = [
  ['SQLite', {}],
  ['Postgres', { openStore: openPostgres }],
]

function schedulesOf({ client, store }: Stage) {
  return {
    retention: client.schedule.getHandle(retentionScheduleId(store.id, echo.id)),
    heartbeat: client.schedule.getHandle(heartbeatScheduleId(store.id, echo.id)),
  }
}

/** The Event History of the first run of a Schedule, once it is closed. */
async function firstRun({ client }: Stage, schedule: ScheduleHandle) {
  await made(schedule)
  const action = await until(async () => (await schedule.describe()).info.recentActions[0]?.action)
  const handle = client.workflow.getHandle(action.workflow.workflowId)
  await handle.result()
  return handle.fetchHistory()
}

async function made(schedule: ScheduleHandle) {
  return untilSuccess(() => schedule.describe())
}

describe.each(databases)('the Schedules of an agent on %s', (name, database) => {
  stageTest('remove what has ended, and nothing that is open', async ({ open }) => {
    const stage = await open(echo, { ...database, worker: false })
    await stage.startWorker({ retention })
    const [ended, asked] = [await stage.send('go'), await stage.send('ask')]
    await stage.ended(ended.taskId)
    await stage.parked(asked.taskId, 1)
    // The run has looked, and so the mark is gone.
    await stage.history(ended.taskId)
    const schedule = schedulesOf(stage).retention
    await made(schedule)
    await schedule.trigger()
    const history = await firstRun(stage, schedule)
    expect(await stage.store.record(ended.taskId)).toBeUndefined()
    expect(await stage.store.record(asked.taskId)).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED' })
    if (name === 'SQLite') await recordHistory('retention', history)
    // A wake of a task that is gone finds nothing to do.
    await stage.waker.deliver(echo.id, ended.taskId, [{ position: 1, kind: 'message' }])
    await stage.history(ended.taskId)
    expect(await stage.store.record(ended.taskId)).toBeUndefined()
  })

  stageTest('record how the agent is, as soon as a worker runs it', async ({ open }) => {
    const stage = await open(echo, { ...database, worker: false })
    await stage.startWorker({ retention })
    const history = await firstRun(stage, schedulesOf(stage).heartbeat)
    const heartbeat = await stage.store.readHeartbeat(echo.id)
    expect(heartbeat).toMatchObject({ agent: echo.id, waiting: { messages: 0, commands: 0 }, worker: { turns: 0, commands: 0 } })
    if (name === 'SQLite') await recordHistory('heartbeat', history)
  })
})

stageTest('brings a Schedule up to date, leaves it paused where it is, and makes one again that is gone', async ({ open }) => {
  const stage = await open(echo, { worker: false })
  const { retention: schedule, heartbeat } = schedulesOf(stage)
  await Promise.all([stage.startWorker({ retention }), stage.startWorker({ retention })])
  expect(await made(schedule)).toMatchObject({ action: { args: [retention] }, policies: { overlap: 'SKIP' }, state: { paused: false } })
  await schedule.pause('for a while')
  await made(heartbeat)
  await heartbeat.delete()
  const longer = { tasksMs: 86_400_000, auditMs: 0 }
  await stage.startWorker({ retention: longer })
  await until(async () => JSON.stringify((await schedule.describe()).action.args) === JSON.stringify([longer]))
  expect((await schedule.describe()).state).toMatchObject({ paused: true, note: 'for a while' })
  await made(heartbeat)
})

stageTest('removes nothing in a run that was started when things were kept for less long', async ({ open }) => {
  const stage = await open(echo, { worker: false })
  const first = await stage.startWorker({ retention })
  const { taskId } = await stage.send('go')
  await stage.ended(taskId)
  await stage.history(taskId)
  const { retention: schedule } = schedulesOf(stage)
  await made(schedule)
  await first.stop()
  await schedule.trigger()
  const action = await until(async () => (await schedule.describe()).info.recentActions[0]?.action)
  await stage.startWorker({ retention: { tasksMs: 0, auditMs: 0 } })
  await stage.client.workflow.getHandle(action.workflow.workflowId).result()
  expect(await stage.store.record(taskId)).toMatchObject({ state: 'TASK_STATE_COMPLETED' })
})

stageTest('changes nothing of a Schedule that is as it should be', async ({ open }) => {
  const stage = await open(echo, { worker: false })
  const { retention: schedule, heartbeat } = schedulesOf(stage)
  const first = await stage.startWorker({ retention })
  await Promise.all([made(schedule), made(heartbeat)])
  await first.stop()
  const before = await Promise.all([schedule.describe(), heartbeat.describe()])
  const { logger, lines } = createListener()
  const second = await stage.startWorker({ retention, logger })
  await second.stop()
  const after = await Promise.all([schedule.describe(), heartbeat.describe()])
  expect(after.map(({ info }) => info.lastUpdatedAt)).toEqual(before.map(({ info }) => info.lastUpdatedAt))
  expect(lines()).toEqual([])
})

stageTest('puts back a time after which a Schedule would do nothing more', async ({ open }) => {
  const stage = await open(echo, { worker: false })
  const { retention: schedule } = schedulesOf(stage)
  const first = await stage.startWorker({ retention })
  await made(schedule)
  await first.stop()
  await schedule.update(({ spec, ...rest }) => ({ ...rest, spec: { ...spec, endAt: new Date(0) } }))
  expect((await schedule.describe()).info.nextActionTimes).toEqual([])
  await stage.startWorker({ retention })
  await until(async () => (await schedule.describe()).info.nextActionTimes.length > 0)
})

stageTest('makes the other Schedules where one cannot be brought up to date', async ({ open }) => {
  const stage = await open(echo, { worker: false })
  const { retention: broken, heartbeat } = schedulesOf(stage)
  const unreadable = { metadata: { encoding: new TextEncoder().encode('of/somebody') } }
  const codec = { encode: async () => [unreadable], decode: async () => [unreadable] }
  const client = new ScheduleClient({ connection: stage.client.connection, dataConverter: { payloadCodecs: [codec] } })
  const action = { type: 'startWorkflow', workflowType: 'x', taskQueue: 'x', args: [1] } as const
  await client.create({ scheduleId: broken.scheduleId, spec: {}, action, state: { paused: true } })
  await stage.startWorker({ retention })
  await made(heartbeat)
})

stageTest('runs its Schedules with Worker Versioning and encryption', async ({ open }) => {
  const encryption = { keys: [{ id: 'k', key: new Uint8Array(32).fill(7) }] }
  const stage = await open(echo, { worker: false, temporal: { encryption } })
  const deploymentName = `moorage-${randomUUID()}`
  await stage.startWorker({ retention, versioning: { deploymentName, buildId: '1' } })
  await makeCurrent(stage.client, deploymentName, '1')
  const { taskId } = await stage.send('go')
  await stage.ended(taskId)
  // Nobody here can read its result.
  await until(async () => (await stage.run(taskId).describe()).status.name === 'COMPLETED')
  const { retention: schedule } = schedulesOf(stage)
  await made(schedule)
  await schedule.trigger()
  await until(async () => (await stage.store.record(taskId)) === undefined)
  const heartbeat = await until(() => stage.store.readHeartbeat(echo.id))
  expect(heartbeat.worker).toMatchObject({ deploymentName, buildId: '1' })
})
