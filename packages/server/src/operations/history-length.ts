import type { TaskJson } from '@moorage/protocol'

/** A Task with its `length` most recent messages (A2A §3.2.4): undefined keeps all of them, 0 leaves the field out. */
export function withHistoryLength(task: TaskJson, length: number | undefined): TaskJson {
  const { history, ...rest } = task
  if (history === undefined || length === 0) return rest
  return length === undefined || history.length <= length ? task : { ...rest, history: history.slice(-length) }
}
