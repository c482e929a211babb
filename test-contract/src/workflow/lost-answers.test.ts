import { command, defineAgent } from '@moorage/agent'
import { StoreUnavailableError, type TaskStore } from '@moorage/store'
import { expect } from 'vitest'
import { PATIENCE_MS } from '../patience.js'
import { createGate } from './gate.js'
import { saying, says, stageTest } from './stage.js'

type Transact = TaskStore['transact']

/** The store as another process has it, whose transactions go another way. */
function rerouted(store: TaskStore, transact: Transact): TaskStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'transact') return transact
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

stageTest('does not run a command again whose worker is lost between its reply and the end of its Activity', async ({ open }) => {
  const runs: string[] = []
  const agent = defineAgent({
    id: 'replier',
    commands: {
      do: command('Does it', (run) => {
        runs.push(run.key)
        return run.reply('done')
      }),
    },
    turn: (turn) => turn.complete(),
  })
  const stage = await open(agent, { worker: false })
  const replied = createGate()
  // The claim, then the reply; whoever waits for the answer to that waits for ever.
  const transact: Transact = async (taskIds, decide, options) => {
    const value = await stage.store.transact(taskIds, decide, options)
    if (runs.length === 0) return value
    replied.resolve()
    return new Promise(() => {})
  }
  const lost = await stage.startWorker({ store: rerouted(stage.store, transact) })
  const { taskId, position } = await stage.send('/do it')
  await replied.promise
  await lost.stop()
  await stage.startWorker()
  const further = await stage.send('/do it again', { taskId })
  await stage.until(taskId, (entry) => entry.replyTo === further.position)
  expect(runs).toEqual([`${taskId}/command/${position}`, `${taskId}/command/${further.position}`])
  const log = await stage.store.read(taskId, 0, 100)
  expect(log.filter((entry) => entry.replyTo === position)).toHaveLength(1)
})

stageTest(
  'hands back a turn whose worker has lost the store, when its time is up, and completes it once the store is there',
  async ({ open }) => {
    const away = { is: false, refused: 0 }
    const attempts: number[] = []
    const loads: number[] = []
    const agent = defineAgent({
      id: 'stranded',
      async turn(turn) {
        attempts.push(turn.attempt)
        await turn.artifact('text').append(`attempt ${turn.attempt}`)
        await turn.status('Written')
        await turn.step('load', () => loads.push(turn.attempt))
        if (turn.attempt === 1) away.is = true
        return turn.complete(await turn.step('save', () => 'Saved'))
      },
    })
    const stage = await open(agent, { worker: false, policy: { turnTimeoutMs: 3000 } })
    const transact: Transact = async (...call) => {
      if (!away.is) return stage.store.transact(...call)
      away.refused += 1
      throw new StoreUnavailableError('The store is away')
    }
    await stage.startWorker({ store: rerouted(stage.store, transact) })
    const { taskId } = await stage.send('go')
    await stage.until(taskId, says('Written'))
    const handle = stage.run(taskId)
    await expect
      .poll(async () => (await handle.describe()).raw.pendingActivities?.[0]?.lastFailure?.applicationFailureInfo?.type, {
        timeout: PATIENCE_MS,
      })
      .toBe('StoreUnavailable')
    away.is = false
    const task = await stage.ended(taskId)
    expect(saying(task)).toBe('Saved')
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: `attempt ${attempts.at(-1)}` }])
    expect(away.refused).toBeGreaterThan(1)
    expect(loads).toEqual([1])
  },
)
