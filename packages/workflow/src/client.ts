/**
 * The waker: makes Temporal look at a task again. Needs no worker and no sandbox.
 * @module
 */
import type { Waiting } from '@moorage/store'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { ExecutionPolicy, Waker } from './contract/index.js'
import { type Logger, SILENT } from './logger.js'
import { resolvePolicy } from './policy.js'
import type { TemporalOptions } from './temporal-options.js'
import { MergedWakes, type Wake } from './wake/merged-wakes.js'
import { TemporalWakes } from './wake/temporal-wakes.js'

export type { Logger } from './logger.js'
export type { TemporalFault, TemporalFaultKind, TemporalStatus } from './temporal-fault.js'
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
  /** Resolves when no wake is on its way. */
  idle(): Promise<void>
  /** Waits for what is on its way, then disconnects. */
  close(): Promise<void>
}

/** How often a wake is repeated that met a run which was just closing. */
const MEETINGS = 5

/**
 * Creates a waker. It connects with the first wake.
 * @throws TypeError that names the field of the policy which is wrong.
 */
export function createWaker({ temporal, storeId, policy, logger = SILENT }: WakerOptions): TaskWaker {
  const wakes = new TemporalWakes({ temporal, storeId, policy: resolvePolicy(policy) })
  let away = false
  const send = async (wake: Wake): Promise<void> => {
    try {
      await sendWake(wakes, wake, logger)
      if (away) logger.info({ address: temporal.address }, 'Temporal takes wakes again')
      away = false
    } catch (error) {
      logger[away ? 'debug' : 'warn']({ err: error, taskId: wake.taskId }, 'Temporal takes no wakes; the sweep repeats them')
      away = true
    }
  }
  const merged = new MergedWakes(send)
  let closing: Promise<void> | undefined
  const deliver: TaskWaker['deliver'] = async (agent, taskId, unhandled) => {
    if (!closing) await merged.deliver({ agent, taskId, unhandled })
  }
  return {
    wake: (agent, taskId, unhandled) => void deliver(agent, taskId, unhandled),
    deliver,
    idle: () => merged.idle(),
    close: () => {
      closing ??= merged.idle().then(() => wakes.close())
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
