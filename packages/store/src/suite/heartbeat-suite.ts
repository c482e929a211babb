import { describe, expect, it } from 'vitest'
import { AGENT, accept, createTask, manualClock, type OpenStore, openTurn } from './fixtures.js'

const WORKER = { identity: '1@host', node: '20.19.0', turns: 1, commands: 0 }

export function describeHeartbeats(open: OpenStore): void {
  describe('recordHeartbeat', () => {
    it('keeps how the agent is, and nothing of other agents', async () => {
      const clock = manualClock(Date.UTC(2026, 0, 1))
      const store = await open({ now: clock.now })
      expect(await store.readHeartbeat(AGENT)).toBeUndefined()
      await store.recordHeartbeat(AGENT, WORKER)
      const idle = { agent: AGENT, tasks: {}, waiting: { messages: 0, commands: 0 }, worker: WORKER }
      expect(await store.readHeartbeat(AGENT)).toEqual({ at: '2026-01-01T00:00:00.000Z', ...idle })

      for (const id of ['running', 'new', 'ended']) await createTask(store, id)
      await createTask(store, 'x', { agent: 'sales' })
      await store.transact(['ended'], (tx) => tx.end('ended', 'TASK_STATE_CANCELED'))
      await openTurn(store, 'running')
      clock.advance(1000)
      await accept(store, 'running', 'm2')
      await accept(store, 'running', '/status')
      clock.advance(1000)
      await store.recordHeartbeat(AGENT, WORKER)
      expect(await store.readHeartbeat(AGENT)).toEqual({
        at: '2026-01-01T00:00:02.000Z',
        agent: AGENT,
        tasks: { TASK_STATE_CANCELED: 1, TASK_STATE_SUBMITTED: 1, TASK_STATE_WORKING: 1 },
        waiting: { messages: 2, commands: 1, oldest: '2026-01-01T00:00:00.000Z' },
        worker: WORKER,
      })
      expect(await store.readHeartbeat('sales')).toBeUndefined()
    })
  })
}
