import type { Priority } from '../priority-queue.js'
import type { Deadline } from './deadline.js'

/** What waits for a task, to be run in one transaction. */
export interface Job<Write> {
  readonly write: Write
  readonly priority: Priority
  readonly deadline: Deadline
}

interface Group<Write, Outcome> {
  readonly jobs: Job<Write>[]
  readonly outcomes: Promise<readonly Outcome[]>
}

/** So many pieces of work share a transaction at most: the first one waits for the last. */
const MOST_JOBS = 32

/** Gathers what waits for the same task while another transaction has it: on a busy task the lock and the commit are what costs. */
export class TaskGroups<Write, Outcome> {
  readonly #open = new Map<string, Group<Write, Outcome>>()
  readonly #start: (taskId: string, first: Job<Write>, close: () => readonly Job<Write>[]) => Promise<readonly Outcome[]>

  /** `start` begins to wait for the task, calls `close` when it has it, and runs all jobs that it then gets: one outcome each, or nothing at all. */
  constructor(start: (taskId: string, first: Job<Write>, close: () => readonly Job<Write>[]) => Promise<readonly Outcome[]>) {
    this.#start = start
  }

  /** The job's outcome; `shared` says of a failure that it may be another job's. */
  async run(
    taskId: string,
    job: Job<Write>,
  ): Promise<{ readonly outcome: Outcome } | { readonly error: unknown; readonly shared: boolean }> {
    const open = this.#open.get(taskId)
    const group = open && open.jobs.length < MOST_JOBS ? open : this.#begin(taskId, job)
    if (group === open) group.jobs.push(job)
    const place = group.jobs.indexOf(job)
    try {
      const outcomes = await group.outcomes
      return { outcome: outcomes[place] as Outcome }
    } catch (error) {
      return { error, shared: group.jobs.length > 1 }
    }
  }

  #begin(taskId: string, first: Job<Write>): Group<Write, Outcome> {
    const jobs = [first]
    const close = (): readonly Job<Write>[] => {
      if (this.#open.get(taskId) === group) this.#open.delete(taskId)
      return jobs
    }
    const group: Group<Write, Outcome> = { jobs, outcomes: this.#start(taskId, first, close).finally(close) }
    this.#open.set(taskId, group)
    return group
  }
}
