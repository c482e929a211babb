import {
  Client,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  WithStartWorkflowOperation,
  WorkflowUpdateStage,
} from '@temporalio/client'
import { fewPositions } from '../contract/few-positions.js'
import type { ExecutionPolicy, TaskWorkflowInput } from '../contract/index.js'
import { DELIVER, type Delivery, TASK_WORKFLOW, taskQueue, taskWorkflowId, turnTaskQueue } from '../contract/index.js'
import type { Logger } from '../logger.js'
import { openConnection } from '../open-connection.js'
import { dataConverterOf } from '../payload-encryption.js'
import { namespaceOf, type TemporalOptions } from '../temporal-options.js'
import type { Wake } from './merged-wakes.js'

/** How long an Update may take: from then on, it is better to have the wake durable than answered. */
const UPDATE_TIMEOUT_MS = 2000
/** How long a Signal may take. Longer, since there is only the sweep behind it, but a process that stops waits for it. */
const SIGNAL_TIMEOUT_MS = 5000
/** gRPC's own code: the run has too many Updates in flight, or the namespace too many calls. */
const RESOURCE_EXHAUSTED = 8

export interface TemporalWakesOptions {
  readonly temporal: TemporalOptions
  readonly storeId: string
  readonly policy: ExecutionPolicy
  readonly logger: Logger
}

type TaskWorkflow = (input: TaskWorkflowInput) => Promise<void>

/** The two ways to wake a task's workflow. Connects with the first call. */
export class TemporalWakes {
  readonly #options: TemporalWakesOptions
  readonly #client: Client

  /** @throws TypeError that names the option of the connection which is wrong. */
  constructor(options: TemporalWakesOptions) {
    this.#options = options
    const { temporal, logger } = options
    const connection = openConnection(temporal, [makeGrpcRetryInterceptor(retryOptions())])
    this.#client = new Client({ connection, namespace: namespaceOf(temporal), dataConverter: dataConverterOf(temporal, logger) })
  }

  /** Update-With-Start: its answer says that a worker has it. */
  async byUpdate(wake: Wake): Promise<void> {
    const startWorkflowOperation = new WithStartWorkflowOperation<TaskWorkflow>(TASK_WORKFLOW, {
      ...this.#start(wake),
      workflowIdConflictPolicy: 'USE_EXISTING',
    })
    const args: [Delivery] = [{ unhandled: fewPositions(wake.unhandled) }]
    await this.#call(UPDATE_TIMEOUT_MS, () =>
      this.#client.workflow.startUpdateWithStart<TaskWorkflow, void, [Delivery]>(DELIVER, {
        args,
        waitForStage: WorkflowUpdateStage.ACCEPTED,
        startWorkflowOperation,
      }),
    )
  }

  /** Signal-With-Start: durable without a worker, and beyond the limits of Updates. */
  async bySignal(wake: Wake): Promise<void> {
    const signalArgs: [Delivery] = [{ unhandled: fewPositions(wake.unhandled) }]
    await this.#call(SIGNAL_TIMEOUT_MS, () =>
      this.#client.workflow.signalWithStart<TaskWorkflow, [Delivery]>(TASK_WORKFLOW, {
        ...this.#start(wake),
        signal: DELIVER,
        signalArgs,
      }),
    )
  }

  async close(): Promise<void> {
    await this.#client.connection.close()
  }

  #call<T>(timeoutMs: number, call: () => Promise<T>): Promise<T> {
    return this.#client.withDeadline(Date.now() + timeoutMs, call)
  }

  #start({ agent, taskId, unhandled }: Wake) {
    const { storeId, policy } = this.#options
    const input: TaskWorkflowInput = { taskId, unhandled: fewPositions(unhandled), turnTaskQueue: turnTaskQueue(storeId, agent), policy }
    return {
      workflowId: taskWorkflowId(storeId, agent, taskId),
      taskQueue: taskQueue(storeId, agent),
      args: [input] as [TaskWorkflowInput],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    }
  }
}

/** The SDK's own retries, but for limits: there the Signal is the way out. */
function retryOptions() {
  const defaults = defaultGrpcRetryOptions()
  return {
    ...defaults,
    retryableDecider: (attempt: number, status: Parameters<typeof defaults.retryableDecider>[1]) =>
      status.code !== RESOURCE_EXHAUSTED && defaults.retryableDecider(attempt, status),
  }
}
