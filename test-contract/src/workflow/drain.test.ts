import { defineAgent } from '@moorage/agent'
import { expect } from 'vitest'
import { PATIENCE_MS } from '../patience.js'
import { createGate } from './gate.js'
import { saying, says, stageTest } from './stage.js'

/** Who notices a lost worker only by its heartbeats waits longer than the test. */
const NO_HEARTBEATS = { heartbeatTimeoutMs: 3_600_000 }

stageTest('hands a turn that does not listen to another worker once its grace is over', async ({ open }) => {
  const ran: string[] = []
  const agentOf = (worker: string) =>
    defineAgent({
      id: 'deaf',
      async turn(turn) {
        ran.push(`${worker}: attempt ${turn.attempt}`)
        await turn.status(`Begun by ${worker}`)
        if (worker === 'the first') await new Promise(() => {})
        return turn.complete(`Done by ${worker}`)
      },
    })
  const stage = await open(agentOf('nobody'), { worker: false, policy: NO_HEARTBEATS })
  const first = await stage.startWorker({ agents: [agentOf('the first')], shutdownGraceMs: 200 })
  const { taskId } = await stage.send('go')
  await stage.until(taskId, says('Begun by the first'))
  await stage.startWorker({ agents: [agentOf('the second')] })
  await first.stop()
  expect(first.status()).toMatchObject({ connected: false, turns: 0 })
  expect(saying(await stage.ended(taskId))).toBe('Done by the second')
  expect(ran).toEqual(['the first: attempt 1', 'the second: attempt 2'])
})

stageTest('lets a turn end within its grace where it runs, while another worker takes what is new', async ({ open }) => {
  const gate = createGate<void>()
  const agentOf = (worker: string) =>
    defineAgent({
      id: 'slow',
      async turn(turn) {
        await turn.status(`Begun by ${worker}`)
        if (turn.text === 'slow') await gate.promise
        return turn.complete(`Attempt ${turn.attempt} by ${worker}`)
      },
    })
  const stage = await open(agentOf('nobody'), { worker: false, policy: NO_HEARTBEATS })
  const first = await stage.startWorker({ agents: [agentOf('the first')], shutdownGraceMs: PATIENCE_MS })
  const slow = await stage.send('slow')
  await stage.until(slow.taskId, says('Begun by the first'))
  await stage.startWorker({ agents: [agentOf('the second')] })
  const stopped = first.stop()
  expect(first.status()).toMatchObject({ turns: 1, commands: 0 })
  const quick = await stage.send('quick')
  expect(saying(await stage.ended(quick.taskId))).toBe('Attempt 1 by the second')
  expect(first.status().turns).toBe(1)
  gate.resolve()
  expect(saying(await stage.ended(slow.taskId))).toBe('Attempt 1 by the first')
  await stopped
  expect(first.status()).toMatchObject({ connected: false, turns: 0, commands: 0 })
})
