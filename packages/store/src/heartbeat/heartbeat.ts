import type { TaskState } from '@moorage/protocol'

/** The process that has recorded a heartbeat. */
export interface HeartbeatWorker {
  /** Process id and host, as Temporal shows it. */
  readonly identity: string
  /** The version of Node. */
  readonly node: string
  /** Its version for Temporal's Worker Versioning. */
  readonly deploymentName?: string
  readonly buildId?: string
  /** How many turns run in the process. */
  readonly turns: number
  /** How many commands run in the process. */
  readonly commands: number
}

/** How an agent was at one moment. Times are ISO 8601 in UTC. */
export interface Heartbeat {
  readonly at: string
  readonly agent: string
  /** How many tasks are in each state; a state without any is absent. */
  readonly tasks: Readonly<Partial<Record<TaskState, number>>>
  /** What is neither handled nor taken by a turn; `messages` are those that run a turn, with authorisations. `oldest`: when the first of it was accepted. */
  readonly waiting: { readonly messages: number; readonly commands: number; readonly oldest?: string }
  readonly worker: HeartbeatWorker
}
