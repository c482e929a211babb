import type { Remaining } from '@moorage/store'
import { ActivityCancellationType, CancellationScope, proxyActivities } from '@temporalio/workflow'
import { ACTIVITY_MARGIN_MS, type TaskActivities } from '../contract/activities.js'
import type { TaskWorkflowInput } from '../contract/index.js'
import type { Lane } from './next-move.js'

/** Without an end: what the agent is to blame for is counted in the store, all else must not cost a message. */
const RETRY = { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 30_000 } as const

const LOOK_TIMEOUT_MS = 30_000

/** Runs the Activities of one task, one at a time in each lane, and hands on what they saw. */
export class Lanes {
  readonly running = new Set<Lane>()
  readonly #scope = new CancellationScope()
  readonly #activities: Readonly<Record<Lane, () => Promise<Remaining>>>
  readonly #observe: (remaining: Remaining) => void
  #failure: { readonly cause: unknown } | undefined

  constructor(input: TaskWorkflowInput, observe: (remaining: Remaining) => void) {
    const { taskId } = input
    const activities = proxies(input)
    this.#observe = observe
    this.#activities = {
      turn: () => activities.turn.run_turn({ taskId }),
      command: () => activities.command.run_command({ taskId }),
      look: () => activities.look.look_again({ taskId }),
    }
  }

  /** Whether an Activity failed for good, which only a cancellation of the Workflow does. */
  get failed(): boolean {
    return this.#failure !== undefined
  }

  start(lane: Lane): void {
    this.running.add(lane)
    void this.#scope.run(this.#activities[lane]).then(
      (remaining) => {
        this.running.delete(lane)
        this.#observe(remaining)
      },
      (cause: unknown) => {
        this.running.delete(lane)
        this.#failure = { cause }
      },
    )
  }

  /** Rethrows what made an Activity fail for good. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure.cause
  }

  /** Asks what still runs to stop, and does not wait for it. */
  cancel(): void {
    if (this.running.size > 0) this.#scope.cancel()
  }
}

function proxies({ turnTaskQueue, policy }: TaskWorkflowInput) {
  const common = { retry: RETRY, cancellationType: ActivityCancellationType.TRY_CANCEL, heartbeatTimeout: policy.heartbeatTimeoutMs }
  return {
    turn: proxyActivities<Pick<TaskActivities, 'run_turn'>>({
      ...common,
      taskQueue: turnTaskQueue,
      startToCloseTimeout: policy.turnTimeoutMs + ACTIVITY_MARGIN_MS,
    }),
    command: proxyActivities<Pick<TaskActivities, 'run_command'>>({
      ...common,
      startToCloseTimeout: policy.commandTimeoutMs + ACTIVITY_MARGIN_MS,
    }),
    look: proxyActivities<Pick<TaskActivities, 'look_again'>>({ retry: RETRY, startToCloseTimeout: LOOK_TIMEOUT_MS }),
  }
}
