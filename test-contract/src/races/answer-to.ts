/**
 * What a task does, as a list of rules: one request after the other, without a database. Whatever requests come at once, their answers and the
 * task must be those of some order of them here.
 * @module
 */
import type { Fence, Scheduling } from '@moorage/store'
import { type EndKind, isCommand, MAX_ATTEMPTS, type Request, TEXTS } from './request.js'
import {
  conclude,
  END_STATES,
  enter,
  isParked,
  isTerminal,
  type Row,
  remaining,
  say,
  settle,
  type TaskModel,
  type Turn,
  unhandled,
} from './task-model.js'

/** Changes the task as the request does, and says what the request is answered. */
export function answerTo(task: TaskModel, request: Request): string {
  switch (request.kind) {
    case 'send':
      return send(task, request.name)
    case 'cancel':
      return cancel(task)
    case 'open':
      return open(task, request.scheduling)
    case 'append':
      return append(task, request.fence, request.batch)
    case 'step':
      return step(task, request.fence)
    case 'end':
      return end(task, request.fence, request.outcome)
    case 'stumble':
      return stumble(task, request.fence)
    case 'claim':
      return claim(task, request.scheduling)
    case 'reply':
      return reply(task, request.position, request.claim)
    case 'stumble in command':
      return stumbleInCommand(task, request.position, request.claim)
    case 'settle':
      return settle(task)
    case 'sweep':
      // It carries no truth: another sweep may have the row, and what it found may have been done since.
      return 'swept'
  }
}

function send(task: TaskModel, name: string): string {
  const before = task.rows.findIndex((row) => row.name === name)
  const row = task.rows[before]
  if (row) {
    task.audit.push(`message duplicate ${before + 1}`)
    return `duplicate ${before + 1} ${row.state}${row.handled ? ' handled' : ''}`
  }
  if (isTerminal(task)) return refuse(task, 'message')
  if (!isCommand(name)) {
    if (task.held) say(task, 'WORKING', task.held.text)
    delete task.held
    if (isParked(task)) say(task, 'WORKING')
  }
  task.said.push(TEXTS.message(name))
  task.rows.push({ name, state: task.state, handled: false, claim: 0, failures: 0, failed: 0 })
  task.marked = true
  task.audit.push(`message accepted ${task.rows.length}`)
  return `accepted ${task.rows.length} ${task.state}`
}

function cancel(task: TaskModel): string {
  if (isTerminal(task)) return refuse(task, 'cancel')
  enter(task, 'CANCELED')
  task.marked = true
  task.audit.push('cancel accepted')
  return 'canceled'
}

function refuse(task: TaskModel, operation: string): string {
  task.audit.push(`${operation} refused terminal`)
  return `refused terminal ${task.state}`
}

function open(task: TaskModel, by: Scheduling): string {
  if (isTerminal(task)) return `idle ${settle(task)}`
  const { turn } = task
  if (turn && !turn.ended) {
    if (isOlder(by, turn.by)) return `stale ${remaining(task)}`
    turn.attempt += 1
    turn.by = by
    task.fresh = []
    return opened(task, turn)
  }
  const waiting = unhandled(task).filter((row) => !isCommand(row.name))
  if (waiting.length === 0) return `idle ${settle(task)}`
  task.kept.push(...task.fresh.splice(0))
  const next: Turn = { turn: (turn?.turn ?? 0) + 1, attempt: 1, by, batch: 0, failures: 0, failed: 0, step: false, ended: false }
  for (const row of waiting) row.turn = next.turn
  task.turn = next
  if (task.state !== 'WORKING') say(task, 'WORKING')
  return opened(task, next)
}

function opened(task: TaskModel, { turn, attempt, batch, step: recorded }: Turn): string {
  const names = task.rows.filter((row) => row.turn === turn).map((row) => row.name)
  return `opened ${turn}.${attempt} after ${batch}${recorded ? ' and a step' : ''} for ${names} ${remaining(task)}`
}

/** Whose turn it is: `ended` where it was the fence's own, to the last. */
function check(task: TaskModel, fence: Fence): 'open' | 'ended' | 'stale' | 'terminal' {
  const { turn } = task
  const own = turn?.turn === fence.turn && turn.attempt === fence.attempt
  if (own && turn.ended) return 'ended'
  if (isTerminal(task)) return 'terminal'
  return own ? 'open' : 'stale'
}

function append(task: TaskModel, fence: Fence, batch: number): string {
  const state = check(task, fence)
  const { turn } = task
  if (turn && batch <= turn.batch && (state === 'open' || state === 'ended')) return 'duplicate'
  if (!turn || state !== 'open') return state === 'ended' ? 'stale' : state
  turn.batch = batch
  task.fresh.push(TEXTS.chunk(fence, batch))
  task.written = true
  return 'appended'
}

function step(task: TaskModel, fence: Fence): string {
  const state = check(task, fence)
  const { turn } = task
  if (!turn || state !== 'open') return state === 'ended' ? 'stale' : state
  if (turn.step) return 'duplicate'
  turn.step = true
  return 'appended'
}

function end(task: TaskModel, fence: Fence, kind: EndKind): string {
  const state = check(task, fence)
  if (!task.turn || state !== 'open') return conclude(task, state === 'ended' ? 'duplicate' : state)
  closeTurn(task, task.turn)
  const text = TEXTS.end(fence, kind)
  const waiting = unhandled(task)
  if (waiting.length === 0) enter(task, END_STATES[kind], text)
  else if (waiting.every((row) => isCommand(row.name))) task.held = { kind, text }
  else say(task, 'WORKING', text)
  return conclude(task, 'appended')
}

/** One more error of its code, counted once for each attempt; the last one allowed fails the task. */
function stumble(task: TaskModel, fence: Fence): string {
  const state = check(task, fence)
  const { turn } = task
  if (!turn || state !== 'open') return `${conclude(task, state === 'ended' ? 'duplicate' : state)} over`
  const result = countError(turn, turn.attempt)
  if (turn.failures < MAX_ATTEMPTS) return `${conclude(task, result)} again`
  closeTurn(task, turn)
  enter(task, 'FAILED', TEXTS.failure(fence))
  return `${conclude(task, 'appended')} over`
}

function countError(run: Turn | Row, number: number): 'appended' | 'duplicate' {
  if (run.failed === number) return 'duplicate'
  run.failed = number
  run.failures += 1
  return 'appended'
}

function closeTurn(task: TaskModel, turn: Turn): void {
  turn.ended = true
  for (const row of task.rows) if (row.turn === turn.turn) row.handled = true
}

function claim(task: TaskModel, by: Scheduling): string {
  const left = settle(task)
  const row = unhandled(task).find(({ name }) => isCommand(name))
  if (!row) return `idle ${left}`
  if (isOlder(by, row.claimedBy)) return `stale ${left}`
  row.claim += 1
  row.claimedBy = by
  return `claimed ${task.rows.indexOf(row) + 1}.${row.claim} ${left}`
}

function reply(task: TaskModel, position: number, number: number): string {
  const row = task.rows[position - 1]
  return checkClaim(task, row, number) ?? answerCommand(task, position)
}

/** As of a turn, once for each claim; the last one allowed is the command's reply. */
function stumbleInCommand(task: TaskModel, position: number, number: number): string {
  const row = task.rows[position - 1]
  const refused = checkClaim(task, row, number)
  if (!row || refused !== undefined) return `${refused} over`
  const result = countError(row, number)
  return row.failures < MAX_ATTEMPTS ? `${conclude(task, result)} again` : `${answerCommand(task, position)} over`
}

function checkClaim(task: TaskModel, row: Row | undefined, number: number): string | undefined {
  if (row?.claim !== number) return conclude(task, 'stale')
  if (isTerminal(task)) return conclude(task, 'terminal')
  return row.handled ? conclude(task, 'duplicate') : undefined
}

/** What is answered last writes the end that was held for it. */
function answerCommand(task: TaskModel, position: number): string {
  const row = task.rows[position - 1] as Row
  row.handled = true
  const waiting = unhandled(task)
  const idle = task.state === 'SUBMITTED' && waiting.every(({ name }) => isCommand(name))
  say(task, idle ? 'INPUT_REQUIRED' : task.state, TEXTS.reply(position, row.claim))
  if (task.held && waiting.length === 0) enter(task, END_STATES[task.held.kind], task.held.text)
  return conclude(task, 'appended')
}

function isOlder(by: Scheduling, than: Scheduling | undefined): boolean {
  return than?.id === by.id && by.attempt < than.attempt
}
