/** What the suite runs on: everything on one machine, replicas with the dev server, or what `npm run cluster` starts. */
export const BACKENDS = ['sqlite', 'postgres', 'cluster'] as const
export type Backend = (typeof BACKENDS)[number]

/** SIGKILL and a start; SIGSTOP and SIGCONT; connections that break, or fall silent. */
export type FaultKind = 'kill' | 'pause' | 'cut'
export type Role = 'agent' | 'worker' | 'engine' | 'postgres'

/** One thing that goes wrong in a round. */
export interface Fault {
  /** A process, by its role and, where there are several, its number. */
  readonly target: string
  readonly kind: FaultKind
  /** When, after the begin of the round. */
  readonly afterMs: number
  /** How long it stays dead, paused or cut. */
  readonly forMs: number
  /** Of a cut: nothing is passed on and nothing breaks, instead of an end of every connection. */
  readonly silent: boolean
}

/** A fault that happened, in times of `performance.now()`. */
export interface Strike {
  readonly fault: Fault
  readonly begun: number
  readonly healed: number
}

type Target = readonly [name: string, kinds: readonly FaultKind[]]

const ALL: readonly FaultKind[] = ['kill', 'pause', 'cut']
const WITHOUT_CUT: readonly FaultKind[] = ['kill', 'pause']

const TARGETS: Readonly<Record<Backend, readonly Target[]>> = {
  sqlite: [
    ['agent', ALL],
    ['worker', WITHOUT_CUT],
    ['engine', WITHOUT_CUT],
  ],
  postgres: [
    ['agent 1', ALL],
    ['agent 2', ALL],
    ['worker 1', ALL],
    ['worker 2', ALL],
    ['engine', ALL],
    ['postgres', ALL],
  ],
  // Which connections its processes have among each other is the cluster's own affair.
  cluster: [
    ['agent 1', ALL],
    ['agent 2', ALL],
    ['worker 1', WITHOUT_CUT],
    ['worker 2', WITHOUT_CUT],
    ['engine', WITHOUT_CUT],
    ['postgres', WITHOUT_CUT],
  ],
}

/** Every fault that there can be. */
export function faultsOn(on: Backend): readonly Pick<Fault, 'target' | 'kind'>[] {
  return TARGETS[on].flatMap(([target, kinds]) => kinds.map((kind) => ({ target, kind })))
}

export function roleOf({ target }: Pick<Fault, 'target'>): Role {
  return target.split(' ')[0] as Role
}

/**
 * How often a step that had run may run once more because of it: whoever ran it, or watches over that, was away. One who comes back may also still get
 * what was handed to him meanwhile.
 */
export function rerunsBy(fault: Pick<Fault, 'target' | 'kind'>, on: Backend): number {
  const role = roleOf(fault)
  const runsTurns = role === 'worker' || (role === 'agent' && on === 'sqlite' && fault.kind !== 'cut')
  // An outage of the tasks' own database is sat out by turns; in the cluster it is also Temporal's.
  const watches = role === 'engine' || (role === 'postgres' && on === 'cluster')
  if (!runsTurns && !watches) return 0
  return fault.kind === 'kill' ? 1 : 2
}

export function describeFault({ kind, target, afterMs, forMs, silent }: Fault): string {
  return `${kind} ${target} (after ${afterMs} ms, for ${forMs} ms${silent ? ', in silence' : ''})`
}
