import { fileURLToPath } from 'node:url'
import type { Agent } from '@moorage/agent'
import { type NativeConnection, Worker } from '@temporalio/worker'
import { createActivities } from '../activities/create-activities.js'
import { createUpkeep } from '../activities/create-upkeep.js'
import { taskQueue, turnTaskQueue } from '../contract/index.js'
import { namespaceOf } from '../temporal-options.js'
import { describeWorker } from './describe-worker.js'
import { counted, type WorkerLoad } from './worker-load.js'
import type { ResolvedWorkerOptions, WorkerVersioning } from './worker-options.js'

/** Made by the build; every module of this package ends up in the folder that holds it. */
const BUNDLE = fileURLToPath(new URL('./workflow-bundle.js', import.meta.url))

const LONGEST_THROTTLE_MS = 5000
/** How long an Activity may take to notice that its worker stops, beyond the grace. */
const FORCE_AFTER_MS = 10_000
/** How long a Workflow Task waits for the worker that has the run in its cache: it may have been killed. */
const STICKY_TIMEOUT_MS = 2000

export interface WorkersSetting {
  readonly options: ResolvedWorkerOptions
  readonly connection: NativeConnection
  readonly load: WorkerLoad
}

/** The two Temporal Workers of one agent: turns have slots of their own, so that commands and Workflow Tasks never wait for them. */
export async function createTemporalWorkers(
  { options, connection, load }: WorkersSetting,
  agent: Agent,
  onCreated: (worker: Worker) => void,
): Promise<void> {
  const { store, logger, redactor, slots, agents, retention } = options
  const { run_turn, run_command, look_again } = createActivities({ store, agent, logger, redactor })
  const upkeep = createUpkeep({ store, agent, logger, retention, describeWorker: () => describeWorker(options, load) })
  const common = commonOptions(options, connection)
  const pollers = shareOf(options.maxPollers, agents)
  const maxCachedWorkflows = shareOf(options.maxCachedWorkflows, agents)
  // A Workflow Task needs a place in the cache.
  const workflowTasks = Math.min(slots.workflowTasks, maxCachedWorkflows)
  onCreated(
    await Worker.create({
      ...common,
      taskQueue: taskQueue(store.id, agent.id),
      workflowBundle: { codePath: BUNDLE },
      activities: { run_command: counted(load, 'commands', run_command), look_again, ...upkeep },
      maxConcurrentActivityTaskExecutions: slots.commands,
      activityTaskPollerBehavior: atMost(pollers, slots.commands),
      maxConcurrentWorkflowTaskExecutions: workflowTasks,
      workflowTaskPollerBehavior: atMost(pollers, workflowTasks),
      maxCachedWorkflows,
      stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT_MS,
    }),
  )
  onCreated(
    await Worker.create({
      ...common,
      taskQueue: turnTaskQueue(store.id, agent.id),
      activities: { run_turn: counted(load, 'turns', run_turn) },
      maxConcurrentActivityTaskExecutions: slots.turns,
      activityTaskPollerBehavior: atMost(pollers, slots.turns),
    }),
  )
}

function commonOptions(
  { temporal, dataConverter, policy, versioning, shutdownGraceMs }: ResolvedWorkerOptions,
  connection: NativeConnection,
) {
  // The SDK holds heartbeats back for 80 % of their timeout, and a cancellation comes with the answer to one.
  const throttle = Math.min(LONGEST_THROTTLE_MS, policy.heartbeatTimeoutMs / 4)
  return {
    connection,
    namespace: namespaceOf(temporal),
    dataConverter,
    maxHeartbeatThrottleInterval: throttle,
    defaultHeartbeatThrottleInterval: throttle,
    ...(versioning && { workerDeploymentOptions: deploymentOptions(versioning) }),
    shutdownGraceTime: shutdownGraceMs,
    shutdownForceTime: shutdownGraceMs + FORCE_AFTER_MS,
  }
}

/** What one agent gets of what a process has; two are the least that Temporal can work with. */
function shareOf(total: number, agents: readonly Agent[]): number {
  return Math.max(2, Math.floor(total / agents.length))
}

/**
 * A fixed number: autoscaling was no faster on one agent or ten, and slower in bursts. A poll holds a slot, so there are never more of them.
 */
function atMost(pollers: number, slots: number) {
  return { type: 'simple-maximum', maximum: Math.min(pollers, slots) } as const
}

/**
 * AUTO_UPGRADE: an open run goes on with the current version, which every version can do: runs hold positions only, their histories are
 * replayed before a release, and changes are patched. PINNED would keep old workers up for as long as a conversation is parked, and would
 * strand the runs of a version that nobody runs any more.
 */
function deploymentOptions(version: WorkerVersioning) {
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' } as const
}
