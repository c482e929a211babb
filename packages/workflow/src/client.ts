/**
 * The waker, which makes Temporal look at a task again, and what a host's own code does to tasks. Needs no worker and no sandbox.
 * @module
 */
import type { Waiting } from '@moorage/store'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { ExecutionPolicy, Waker } from './contract/index.js'
import type { TemporalStatus } from './fault/temporal-fault.js'
import { TemporalWatch } from './fault/temporal-watch.js'
import { type Logger, SILENT } from './logger.js'
import { resolvePolicy } from './policy.js'
import type { TemporalOptions } from './temporal-options.js'
import { MergedWakes, type Wake } from './wake/merged-wakes.js'
import { TemporalWakes } from './wake/temporal-wakes.js'

export { checkTemporal } from './fault/check-temporal.js'
export { describeTemporalFault } from './fault/describe-temporal-fault.js'
export type { TemporalFault, TemporalFaultKind, TemporalStatus } from './fault/temporal-fault.js'
export type { Logger } from './logger.js'
export { type AuthorizedBy, createTaskClient, type TaskClient, TaskClientError, type TaskClientOptions } from './task-client.js'
export type { EncryptionKey, EncryptionOptions, TemporalOptions } from './temporal-options.js'

/** Which Temporal a waker wakes, and for which store. */
export interface WakerOptions {
  readonly temporal: TemporalOptions
  /** The id of the store whose tasks are woken: part of Task Queues and workflow ids. */
  readonly storeId: string
  /** How long things may take in the runs that a wake starts. Absent fields get the default. @default DEFAULT_EXECUTION_POLICY */
  readonly policy?: Partial<ExecutionPolicy>
  readonly logger?: Logger
}

/** A waker over Temporal. */
export interface TaskWaker extends Waker {
  /** As `wake`; resolves when the wake has been sent, or was left to the sweep. Never rejects. */
  deliver(agent: string, taskId: string, unhandled: readonly Waiting[]): Promise<void>
  /** How Temporal was when it last was looked at, at most some seconds ago; not connected before the first look. */
  status(): TemporalStatus
  /** Looks now, for at most seven seconds. Never rejects. */
  check(): Promise<TemporalStatus>
  /** Resolves when no wake is on its way. */
  idle(): Promise<void>
  /** Waits for what is on its way, then disconnects. */
  close(): Promise<void>
}

/** How often a wake is repeated that met a run which was just closing. */
const MEETINGS = 5

/**
 * Creates a waker. It connects with the first wake or question for its status, and tells its logger once whenever Temporal goes and comes back.
 * @throws TypeError that names the field of the policy, of the connection or of the encryption which is wrong.
 */
export function createWaker({ temporal, storeId, policy, logger = SILENT }: WakerOptions): TaskWaker {
  const wakes = new TemporalWakes({ temporal, storeId, policy: resolvePolicy(policy), logger })
  const watch = new TemporalWatch(temporal, logger)
  const merged = new MergedWakes(async (wake) => {
    try {
      await sendWake(wakes, wake, logger)
      watch.answered()
    } catch (error) {
      logger.debug({ err: error, taskId: wake.taskId }, 'Temporal has not taken a wake; the sweep repeats it')
      void watch.check()
    }
  })
  let closing: Promise<void> | undefined
  const deliver: TaskWaker['deliver'] = async (agent, taskId, unhandled) => {
    if (!closing) await merged.deliver({ agent, taskId, unhandled })
  }
  const close = async (): Promise<void> => {
    await merged.idle()
    await Promise.all([wakes.close(), watch.close()])
  }
  return {
    wake: (agent, taskId, unhandled) => void deliver(agent, taskId, unhandled),
    deliver,
    status: () => watch.status(),
    check: () => watch.check(),
    idle: () => merged.idle(),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** By Update; by Signal where no worker answers or a limit is reached. */
async function sendWake(wakes: TemporalWakes, wake: Wake, logger: Logger): Promise<void> {
  for (let meeting = 1; ; meeting += 1) {
    try {
      return await wakes.byUpdate(wake)
    } catch (error) {
      // The run closed under the Update: the next one starts a new run.
      if (error instanceof WorkflowNotFoundError && meeting < MEETINGS) continue
      logger.debug({ err: error, taskId: wake.taskId }, 'no answer to an Update; a Signal is sent')
    }
    return wakes.bySignal(wake)
  }
}
