import type { Agent } from '@moorage/agent'
import { createRedactor, type Redactor } from '@moorage/inbox'
import type { TaskStore } from '@moorage/store'
import type { DataConverter } from '@temporalio/common'
import type { TaskWaker } from '../client.js'
import type { ExecutionPolicy, RetentionInput } from '../contract/index.js'
import { type Logger, SILENT } from '../logger.js'
import { dataConverterOf } from '../payload-encryption.js'
import { LONGEST_TIMER_MS, resolvePolicy } from '../policy.js'
import type { TemporalOptions } from '../temporal-options.js'

/** How much may run at once, for each agent: a busy agent so never takes the slots of another one. */
export interface WorkerSlots {
  /** @default 100 */
  readonly turns: number
  /** @default 20 */
  readonly commands: number
  /** At least 2. @default 40 */
  readonly workflowTasks: number
}

/** Which version of the code a worker is, for Temporal's Worker Versioning. */
export interface WorkerVersioning {
  /** The same for every version; without dots and colons, which Temporal does not take here. */
  readonly deploymentName: string
  /** Another one for each version; dots and colons are fine. */
  readonly buildId: string
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
  /** How many polls the process has open at once for each kind of task, shared evenly by its agents; at least 2 each. @default 10 */
  readonly maxPollers?: number
  /** How many runs the process keeps in memory, shared evenly by its agents; at least 2 each. @default 600 */
  readonly maxCachedWorkflows?: number
  /** Takes part in Worker Versioning: nothing runs here until the version is made the deployment's current one. @default unversioned */
  readonly versioning?: WorkerVersioning
  /**
   * Has Temporal remove what has been kept for longer, and record a heartbeat each minute, by two Schedules for each agent. Where workers differ,
   * the one that connects last decides; no worker removes sooner than it is set to itself. @default no Schedule is made or changed
   */
  readonly retention?: RetentionInput
  /** Sends the wakes of the sweep; the process that accepts messages shares its own. @default one of its own */
  readonly waker?: TaskWaker
  /** How long what runs may go on after `stop` before it is handed back. @default 10_000 */
  readonly shutdownGraceMs?: number
  /** How often the sweep looks for wakes that are due. @default 1000 */
  readonly sweepIntervalMs?: number
  /** Texts that are secrets whatever they look like: they are taken out of what the agents' code has recorded, as everything that looks like one. @default none */
  readonly secrets?: readonly string[]
  readonly logger?: Logger
}

export interface ResolvedWorkerOptions {
  readonly temporal: TemporalOptions
  /** One for all Temporal Workers of the process, so that a missing key is told once. */
  readonly dataConverter: DataConverter
  readonly store: TaskStore
  readonly agents: readonly Agent[]
  readonly policy: ExecutionPolicy
  readonly slots: WorkerSlots
  readonly maxPollers: number
  readonly maxCachedWorkflows: number
  readonly versioning: WorkerVersioning | undefined
  readonly retention: RetentionInput | undefined
  readonly shutdownGraceMs: number
  readonly sweepIntervalMs: number
  readonly redactor: Redactor
  readonly logger: Logger
}

const DEFAULT_SLOTS: WorkerSlots = { turns: 100, commands: 20, workflowTasks: 40 }

/** Server 1.29 never registers a build id of 400 bytes, whereas names and build ids of 255 work together. */
const LONGEST_VERSION_BYTES = 255

/** @throws TypeError that names the option which is wrong. */
export function resolveWorkerOptions(options: WorkerOptions): ResolvedWorkerOptions {
  const { temporal, store, agents, versioning, retention, maxPollers = 10, maxCachedWorkflows = 600, logger = SILENT } = options
  const { shutdownGraceMs = 10_000, sweepIntervalMs = 1000 } = options
  checkAgents(agents)
  const slots: WorkerSlots = { ...DEFAULT_SLOTS, ...options.slots }
  atLeast('slots.turns', slots.turns, 1)
  atLeast('slots.commands', slots.commands, 1)
  atLeast('slots.workflowTasks', slots.workflowTasks, 2)
  atLeast('maxPollers', maxPollers, 2)
  atLeast('maxCachedWorkflows', maxCachedWorkflows, 2)
  milliseconds('shutdownGraceMs', shutdownGraceMs, 0)
  milliseconds('sweepIntervalMs', sweepIntervalMs, 1)
  checkVersioning(versioning)
  if (retention) for (const field of ['tasksMs', 'auditMs'] as const) atLeast(`retention.${field}`, retention[field], 0)
  const policy = resolvePolicy(options.policy)
  const limits = { slots, maxPollers, maxCachedWorkflows, shutdownGraceMs, sweepIntervalMs }
  const dataConverter = dataConverterOf(temporal, logger)
  const redactor = createRedactor(options.secrets)
  return { temporal, dataConverter, store, agents, policy, versioning, retention, redactor, logger, ...limits }
}

function checkAgents(agents: readonly Agent[]): void {
  if (agents.length === 0) throw new TypeError('createWorker: agents must name at least one agent')
  const repeated = agents.find((agent, index) => agents.findIndex(({ id }) => id === agent.id) !== index)
  if (repeated) throw new TypeError(`createWorker: agents has two agents with the id "${repeated.id}"; give each its own`)
}

/** What Temporal does not take never registers, and nothing says so: its polls are refused or stay unanswered. */
function checkVersioning(versioning: WorkerVersioning | undefined): void {
  if (!versioning) return
  for (const field of ['deploymentName', 'buildId'] as const) {
    const value: unknown = versioning[field]
    const rule = typeof value === 'string' && value !== '' ? brokenRule(field, value) : 'must be a non-empty string'
    if (rule) throw new TypeError(`createWorker: versioning.${field} ${rule}; it is ${JSON.stringify(value)}`)
  }
}

function brokenRule(field: keyof WorkerVersioning, value: string): string | undefined {
  if (field === 'deploymentName' && /[.:]/.test(value)) return 'must have no "." and no ":", which Temporal refuses in names of deployments'
  if (value.startsWith('__')) return 'must not begin with "__", which Temporal keeps for itself'
  if (Buffer.byteLength(value) > LONGEST_VERSION_BYTES) return `must have at most ${LONGEST_VERSION_BYTES} bytes`
  return undefined
}

function atLeast(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return
  throw new TypeError(`createWorker: ${name} must be an integer of at least ${least}; it is ${value}`)
}

/** A longer timer fires at once. */
function milliseconds(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least && value <= LONGEST_TIMER_MS) return
  throw new TypeError(`createWorker: ${name} must be a whole number of milliseconds from ${least} to ${LONGEST_TIMER_MS}; it is ${value}`)
}
