import type { Fence, Scheduling } from '@moorage/store'
import { type EndKind, isCommand } from './request.js'

export interface Row {
  readonly name: string
  /** The state in its receipt. */
  readonly state: string
  handled: boolean
  /** The turn that took it. */
  turn?: number
  claim: number
  claimedBy?: Scheduling
  failures: number
  /** The claim or the attempt whose error was counted last. */
  failed: number
}

export interface Turn extends Fence {
  attempt: number
  by: Scheduling
  batch: number
  failures: number
  failed: number
  step: boolean
  ended: boolean
}

export interface TaskModel {
  state: string
  rows: Row[]
  turn?: Turn
  /** The end that waits for commands. */
  held?: { readonly kind: EndKind; readonly text: string }
  /** The artifact's chunks: of the turns before, and of this one. */
  kept: string[]
  fresh: string[]
  written: boolean
  /** Everything that was said, in order; `status` is which of it the status says, and not the history. */
  said: string[]
  status?: number
  marked: boolean
  audit: string[]
}

export function newTask(): TaskModel {
  return { state: 'SUBMITTED', rows: [], kept: [], fresh: [], written: false, said: [], marked: false, audit: [] }
}

export const END_STATES = { complete: 'COMPLETED', fail: 'FAILED', ask: 'INPUT_REQUIRED', park: 'INPUT_REQUIRED' } as const

/** Enters a state that ends waits; a terminal one handles everything. */
export function enter(task: TaskModel, state: string, text?: string): void {
  delete task.held
  say(task, state, text)
  if (!isTerminal(task)) return
  for (const [index, row] of task.rows.entries()) {
    if (!row.handled && row.turn === undefined) {
      task.audit.push(`${isCommand(row.name) ? 'command' : 'message'} not run ${index + 1} TASK_STATE_${state}`)
    }
    row.handled = true
  }
}

export function say(task: TaskModel, state: string, text?: string): void {
  task.state = state
  delete task.status
  if (text !== undefined) task.status = task.said.push(text) - 1
}

/** Who is stale is not who will do what is left, and clears no mark. */
export function conclude(task: TaskModel, result: string): string {
  return `${result} ${result === 'stale' ? remaining(task) : settle(task)}`
}

/** What is left; where nothing is, nobody need be woken any more. */
export function settle(task: TaskModel): string {
  if (unhandled(task).length === 0) task.marked = false
  return remaining(task)
}

export function remaining(task: TaskModel): string {
  const positions = task.rows.flatMap((row, index) => (row.handled ? [] : [`${index + 1}${isCommand(row.name) ? 'c' : 'm'}`]))
  return `left [${positions}] of ${task.rows.length}${isTerminal(task) ? ', ended' : ''}`
}

export function unhandled({ rows }: TaskModel): readonly Row[] {
  return rows.filter((row) => !row.handled)
}

export function isTerminal({ state }: Pick<TaskModel, 'state'>): boolean {
  return ['COMPLETED', 'FAILED', 'CANCELED'].includes(state)
}

export function isParked({ state }: TaskModel): boolean {
  return state === 'INPUT_REQUIRED'
}
