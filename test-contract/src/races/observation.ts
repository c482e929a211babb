import { isTerminal, type MessageJson, type PartJson, type TaskJson } from '@moorage/protocol'
import { isPublic, type LogEntry, type TaskRecord } from '@moorage/store'
import { expect } from 'vitest'
import type { TwoReplicas } from './databases.js'
import { brief } from './race.js'
import { type TaskModel, unhandled } from './task-model.js'

/** What anybody can see of a task at rest, and what the operator can. */
export interface Observation {
  readonly state: string
  readonly saying: string
  readonly history: readonly string[]
  readonly answer: readonly string[]
  /** Position, name and fate of each message. */
  readonly rows: readonly string[]
  readonly handled: number
  readonly marked: boolean
  readonly audit: readonly string[]
}

/** What the model shows. */
export function observationOf(task: TaskModel): Observation {
  const chunks = [...task.kept, ...task.fresh]
  const open = unhandled(task)[0]
  return {
    state: task.state,
    saying: task.status === undefined ? '' : (task.said[task.status] ?? ''),
    history: task.said.filter((_, index) => index !== task.status),
    // What a retried turn took back leaves an empty part.
    answer: task.written && chunks.length === 0 ? [''] : chunks,
    rows: task.rows.map((row, index) => `${index + 1} ${row.name}${row.handled ? ' handled' : ''}`),
    handled: open ? task.rows.indexOf(open) : task.rows.length,
    marked: task.marked,
    audit: task.audit.toSorted(),
  }
}

/** What the store shows, through one of its replicas, after the laws that hold for every task whatever was asked of it. */
export async function observe({ stores, select }: TwoReplicas, replica: 0 | 1, taskId: string): Promise<Observation> {
  const store = stores[replica]
  const [snapshot, log] = await Promise.all([store.get(taskId), store.read(taskId, 0, 10_000)])
  if (!snapshot) throw new Error('There is no such task')
  const { record, task } = snapshot
  const rows = await select(`select position, message_key, message, handled from inbox where task_id = '${taskId}' order by position`)
  const marks = await select(`select agent from wakes where task_id = '${taskId}'`)
  const audit = await select(`select operation, outcome, position, reason from audit where task_id = '${taskId}'`)
  checkLog(log, record, task)
  expect(new Set(rows.map(([, key]) => key)).size, 'each message has one row').toBe(rows.length)
  if (rows.some((row) => row[3] === 0)) expect(marks, 'what is not handled is marked').toHaveLength(1)
  return {
    state: brief(record.state),
    saying: textOf(task.status.message?.parts),
    history: (task.history ?? []).map(({ parts }) => textOf(parts)),
    answer: (task.artifacts ?? []).flatMap(({ parts }) => parts.map((part) => textOf([part]))),
    rows: rows.map(([position, , message, handled]) => `${position} ${nameOf(String(message))}${handled === 1 ? ' handled' : ''}`),
    handled: record.handled,
    marked: marks.length > 0,
    audit: audit.map((columns) => columns.filter((column) => column !== null).join(' ')).toSorted(),
  }
}

/** One log: dense, with one end at most, that tells the same story as the task. */
function checkLog(log: readonly LogEntry[], record: TaskRecord, task: TaskJson): void {
  expect(
    log.map(({ seq }) => seq),
    'the log is dense',
  ).toEqual(Array.from({ length: record.seq }, (_, index) => index + 1))
  const ends = log.filter(({ state }) => isTerminal(state)).map(({ seq }) => seq)
  expect(ends, 'a terminal entry is the last').toEqual(isTerminal(record.state) ? [record.seq] : [])
  const handled = log.map((entry) => entry.handled)
  expect(handled, 'what is handled stays so').toEqual(handled.toSorted((a, b) => a - b))
  const answered = log.flatMap(({ replyTo }) => replyTo ?? [])
  expect(new Set(answered).size, 'a command has one reply').toBe(answered.length)
  expect(fold(log), 'the log says what the task says').toEqual({ status: task.status, parts: task.artifacts?.[0]?.parts ?? [] })
  const last = log.at(-1)
  expect({ state: last?.state, handled: last?.handled }).toEqual({ state: record.state, handled: record.handled })
}

/** What a reader of the stream ends with. */
function fold(log: readonly LogEntry[]) {
  let status: TaskJson['status'] | undefined
  let parts: readonly PartJson[] = []
  for (const { payload } of log.filter(isPublic)) {
    if ('task' in payload) status = payload.task.status
    else if ('statusUpdate' in payload) status = payload.statusUpdate.status
    else if ('artifactUpdate' in payload) {
      const { artifact, append } = payload.artifactUpdate
      parts = append ? [...parts, ...artifact.parts] : artifact.parts
    }
  }
  return { status, parts }
}

function textOf(parts: readonly PartJson[] = []): string {
  return parts.map((part) => ('text' in part ? part.text : '?')).join('')
}

function nameOf(message: string): string {
  return (JSON.parse(message) as MessageJson).messageId.split(' ').at(-1) ?? ''
}
