import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@moorage/agent'
import { taskWorkflowId } from '@moorage/workflow/contract'
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client'
import { type LimitedEngine, startLimitedEngine } from '../limits/limited-engine.js'
import { until } from '../until.js'
import type { StoreOpener } from '../workflow/stage.js'
import { type Replica, startReplica } from './replica.js'

/** After so many events a run is to go on as another; a task's first message has 13. */
const LONG_HISTORY = 24

/** An engine whose runs soon go on as new ones. */
export function startImpatientEngine(): Promise<LimitedEngine> {
  return startLimitedEngine({ 'limit.historyCount.suggestContinueAsNew': LONG_HISTORY })
}

/** Two replicas of the agent on one database, and what may befall them. */
export interface World {
  readonly one: Replica
  readonly two: Replica
  /** Ends the first replica and starts it again. */
  restart(): Promise<void>
  /** Makes the task's run go on as a new one. */
  renewRun(taskId: string): Promise<void>
  /** Makes the engine forget the task's runs. */
  forget(taskId: string): Promise<void>
  close(): Promise<void>
}

export async function createWorld(agent: Agent, openStore: StoreOpener, engine: string): Promise<World> {
  const dir = await mkdtemp(join(tmpdir(), 'moorage-again-'))
  const start = async () => startReplica(agent, await openStore(dir, {}), engine)
  let one = await start()
  const two = await start()
  const connection = Connection.lazy({ address: engine })
  const client = new Client({ connection })
  const runOf = (taskId: string) => client.workflow.getHandle(taskWorkflowId(two.store.id, agent.id, taskId))
  return {
    get one() {
      return one
    },
    two,
    async restart() {
      await one.close()
      one = await start()
    },
    async renewRun(taskId) {
      const { runId } = await runOf(taskId).describe()
      await until(async () => {
        for (let wake = 0; wake < 5; wake += 1) await one.waker.deliver(agent.id, taskId, [])
        return (await runOf(taskId).describe()).runId !== runId
      })
    },
    async forget(taskId) {
      const { workflowId } = runOf(taskId)
      await client.workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution: { workflowId } })
      await until(() =>
        runOf(taskId)
          .describe()
          .then(() => false)
          .catch((error: unknown) => {
            if (error instanceof WorkflowNotFoundError) return true
            throw error
          }),
      )
    },
    async close() {
      await Promise.all([one.close(), two.close()])
      await connection.close()
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
