import { fileURLToPath } from 'node:url'
import type { Agent } from '@moorage/agent'
import { type NativeConnection, Worker } from '@temporalio/worker'
import { createActivities } from '../activities/create-activities.js'
import { taskQueue, turnTaskQueue } from '../contract/index.js'
import { namespaceOf } from '../temporal-options.js'
import type { ResolvedWorkerOptions } from './worker-options.js'

/** Made by the build; every module of this package ends up in the folder that holds it. */
const BUNDLE = fileURLToPath(new URL('./workflow-bundle.js', import.meta.url))

const LONGEST_THROTTLE_MS = 5000
/** How long an Activity may take to notice that its worker stops, beyond the grace. */
const FORCE_AFTER_MS = 10_000
/** How long a Workflow Task waits for the worker that has the run in its cache: it may have been killed. */
const STICKY_TIMEOUT_MS = 2000

/** The two Temporal Workers of one agent: turns have slots of their own, so that commands and Workflow Tasks never wait for them. */
export async function createTemporalWorkers(
  options: ResolvedWorkerOptions,
  agent: Agent,
  connection: NativeConnection,
  onCreated: (worker: Worker) => void,
): Promise<void> {
  const { store, logger, slots } = options
  const { run_turn, ...others } = createActivities({ store, agent, logger })
  const common = commonOptions(options, connection)
  onCreated(
    await Worker.create({
      ...common,
      taskQueue: taskQueue(store.id, agent.id),
      workflowBundle: { codePath: BUNDLE },
      activities: others,
      maxConcurrentActivityTaskExecutions: slots.commands,
      stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT_MS,
    }),
  )
  onCreated(
    await Worker.create({
      ...common,
      taskQueue: turnTaskQueue(store.id, agent.id),
      activities: { run_turn },
      maxConcurrentActivityTaskExecutions: slots.turns,
    }),
  )
}

function commonOptions({ temporal, policy, shutdownGraceMs }: ResolvedWorkerOptions, connection: NativeConnection) {
  // The SDK holds heartbeats back for 80 % of their timeout, and a cancellation comes with the answer to one.
  const throttle = Math.min(LONGEST_THROTTLE_MS, policy.heartbeatTimeoutMs / 4)
  return {
    connection,
    namespace: namespaceOf(temporal),
    maxHeartbeatThrottleInterval: throttle,
    defaultHeartbeatThrottleInterval: throttle,
    shutdownGraceTime: shutdownGraceMs,
    shutdownForceTime: shutdownGraceMs + FORCE_AFTER_MS,
  }
}
