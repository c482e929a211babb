import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../until.js'
import type { Answer } from './answer.js'
import { createCountingAgent, type Ending } from './counting-agent.js'
import { DATABASES } from './databases.js'
import type { Replica } from './replica.js'
import { EACH_ONCE, prepareSending, type Sending, WAYS, type Way } from './sending.js'
import { createWorld, startImpatientEngine, type World } from './world.js'

/** How often a message is sent at once. */
const CROWD = 20

/** What befalls a message that has been answered, one after the other. It is then sent again, to both replicas. */
const LIFE: readonly (readonly [string, (world: World, taskIds: readonly string[]) => Promise<unknown>])[] = [
  ['at once afterwards', async () => {}],
  ['after Continue-As-New', (world, taskIds) => Promise.all(taskIds.map(world.renewRun))],
  ['after a restart', (world) => world.restart()],
  ['after the engine forgot the runs', (world, taskIds) => Promise.all(taskIds.map(world.forget))],
]

let engine: Awaited<ReturnType<typeof startImpatientEngine>>
beforeAll(async () => {
  engine = await startImpatientEngine()
})
afterAll(() => engine.stop())

describe.each(DATABASES)('the same message again, on %s', (database, openStore) => {
  const ways = database === 'SQLite' ? WAYS : EACH_ONCE
  const counting = createCountingAgent()
  let world: World
  beforeAll(async () => {
    world = await createWorld(counting.agent, openStore, engine.address)
  })
  afterAll(() => world.close())

  const prepare = (ways: readonly Way[], ending: Ending) => Promise.all(ways.map((way) => prepareSending(way, ending, world.one)))

  /** The task of the message, once its turn has run. */
  async function begun({ messageId }: Sending): Promise<string> {
    return until(() => counting.taskOf(messageId))
  }

  /** Resolves when the task waits for nobody but its client; nobody else finds one that a Message has answered. */
  async function settled(sending: Sending): Promise<string> {
    const taskId = await begun(sending)
    const busy = ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']
    if (sending.way.kind !== 'direct') await until(async () => !busy.includes((await sending.task(world.one, taskId)).status.state))
    return taskId
  }

  /** One task, one execution, one place in the history. */
  async function expectOnce(sending: Sending): Promise<void> {
    expect(counting.runs(sending.messageId)).toBe(1)
    if (sending.way.kind === 'direct') return
    const { history = [] } = await sending.task(world.one, await begun(sending))
    expect(history.filter(({ messageId }) => messageId === sending.messageId)).toHaveLength(1)
  }

  async function expectLikeFirst(moment: string, replica: Replica, sendings: readonly Sending[], firsts: readonly Answer[]): Promise<void> {
    const again = await Promise.all(sendings.map((sending) => sending.send(replica)))
    const named = (answers: readonly Answer[]) => sendings.map(({ way }, index) => [moment, way.name, answers[index]])
    expect(named(again)).toEqual(named(firsts))
    for (const sending of sendings) await expectOnce(sending)
  }

  test(`is answered as the first one, and runs nothing: ${LIFE.map(([moment]) => moment).join(', ')}`, async () => {
    const sendings = await prepare(ways, 'ask')
    const firsts = await Promise.all(sendings.map((sending) => sending.send(world.one)))
    const taskIds = await Promise.all(sendings.map(settled))
    const open = taskIds.filter((_id, index) => sendings[index]?.way.kind !== 'direct')
    for (const [moment, befall] of LIFE) {
      await befall(world, open)
      for (const replica of [world.one, world.two]) await expectLikeFirst(moment, replica, sendings, firsts)
    }
  })

  test('is answered as the first one after its task has ended, and runs nothing', async () => {
    const sendings = await prepare(ways, 'complete')
    const firsts = await Promise.all(sendings.map((sending) => sending.send(world.one)))
    await Promise.all(sendings.map(settled))
    for (const replica of [world.one, world.two]) await expectLikeFirst('after completion', replica, sendings, firsts)
  })

  test(`is one task, one execution and one kind of answer, ${CROWD} times at once at two replicas`, async () => {
    const sendings = await prepare(EACH_ONCE, 'ask')
    const replicaOf = (index: number) => (index % 2 === 0 ? world.one : world.two)
    const crowds = await Promise.all(
      sendings.map((sending) => Promise.all(Array.from({ length: CROWD }, (_item, index) => sending.send(replicaOf(index))))),
    )
    await Promise.all(sendings.map(settled))
    for (const crowd of crowds) expect(crowd).toEqual(Array.from(crowd, () => crowd[0]))
    for (const sending of sendings) await expectOnce(sending)
  })

  test('finds its task canceled that was canceled meanwhile, and runs nothing', async () => {
    // A task that may yet be answered by a Message is nobody's, and so nobody cancels it.
    const cancelable = ways.filter(({ kind, mode }) => kind === 'follow-up' || (kind === 'first' && mode !== 'blocking'))
    const sendings = await prepare(cancelable, 'hang')
    const running = sendings.map((sending) => sending.send(world.one))
    for (const sending of sendings) await sending.cancel(world.one, await begun(sending))
    const firsts = await Promise.all(running)
    for (const [index, { way }] of sendings.entries())
      if (way.mode !== 'returnImmediately') expect(firsts[index]).toMatchObject({ state: 'TASK_STATE_CANCELED' })
    for (const replica of [world.one, world.two]) await expectLikeFirst('after a cancel', replica, sendings, firsts)
  })
})
