import type { Agent } from '@moorage/agent'
import type { TaskStore } from '@moorage/store'
import type { TaskWaker } from '../client.js'
import type { ExecutionPolicy } from '../contract/index.js'
import { type Logger, SILENT } from '../logger.js'
import { resolvePolicy } from '../policy.js'
import type { TemporalOptions } from '../temporal-options.js'

/** How much may run at once, for each agent. */
export interface WorkerSlots {
  /** @default 100 */
  readonly turns: number
  /** @default 20 */
  readonly commands: number
}

/** What a worker runs, and where. */
export interface WorkerOptions {
  readonly temporal: TemporalOptions
  readonly store: TaskStore
  /** The agents that this process runs; ids are unique. */
  readonly agents: readonly Agent[]
  /** How long things may take in the runs that the sweep starts; its heartbeat timeout also sets how often this worker sends heartbeats. @default DEFAULT_EXECUTION_POLICY */
  readonly policy?: Partial<ExecutionPolicy>
  readonly slots?: Partial<WorkerSlots>
  /** Sends the wakes of the sweep; the process that accepts messages shares its own. @default one of its own */
  readonly waker?: TaskWaker
  /** How long what runs may go on after `stop` before it is handed back. @default 10_000 */
  readonly shutdownGraceMs?: number
  /** How often the sweep looks for wakes that are due. @default 1000 */
  readonly sweepIntervalMs?: number
  readonly logger?: Logger
}

export interface ResolvedWorkerOptions {
  readonly temporal: TemporalOptions
  readonly store: TaskStore
  readonly agents: readonly Agent[]
  readonly policy: ExecutionPolicy
  readonly slots: WorkerSlots
  readonly shutdownGraceMs: number
  readonly sweepIntervalMs: number
  readonly logger: Logger
}

/** @throws TypeError that names the option which is wrong. */
export function resolveWorkerOptions(options: WorkerOptions): ResolvedWorkerOptions {
  const { temporal, store, agents, logger = SILENT } = options
  if (agents.length === 0) throw new TypeError('createWorker: agents must name at least one agent')
  const repeated = agents.find((agent, index) => agents.findIndex(({ id }) => id === agent.id) !== index)
  if (repeated) throw new TypeError(`createWorker: agents has two agents with the id "${repeated.id}"; give each its own`)
  const slots: WorkerSlots = { turns: 100, commands: 20, ...options.slots }
  const shutdownGraceMs = options.shutdownGraceMs ?? 10_000
  const sweepIntervalMs = options.sweepIntervalMs ?? 1000
  atLeast('slots.turns', slots.turns, 1)
  atLeast('slots.commands', slots.commands, 1)
  atLeast('shutdownGraceMs', shutdownGraceMs, 0)
  atLeast('sweepIntervalMs', sweepIntervalMs, 1)
  const policy = resolvePolicy(options.policy)
  return { temporal, store, agents, policy, slots, shutdownGraceMs, sweepIntervalMs, logger }
}

function atLeast(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return
  throw new TypeError(`createWorker: ${name} must be an integer of at least ${least}; it is ${value}`)
}
