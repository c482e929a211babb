import type { StreamResponseJson } from '@moorage/protocol'
import { type FollowCut, isPublic, type TaskSnapshot, type TaskStore } from '@moorage/store'
import type { StreamEvent } from './call.js'
import { endsWait, type Wait } from './ends-wait.js'
import { withHistoryLength } from './history-length.js'

export interface LogStream {
  readonly store: TaskStore
  readonly taskId: string
  readonly wait: Wait
  readonly signal: AbortSignal
  readonly cut: FollowCut
  readonly historyLength?: number | undefined
}

/** What clients may see of the log after `after`, up to the end of the wait. */
export async function* streamLog(stream: LogStream, after: number): AsyncGenerator<StreamEvent, void, undefined> {
  const { store, taskId, signal, cut } = stream
  for await (const entry of store.follow(taskId, after, signal, cut)) {
    const last = endsWait(stream.wait, entry)
    if (isPublic(entry)) yield { seq: entry.seq, payload: limitHistory(entry.payload, stream.historyLength), last }
    if (last) return
  }
}

/** The Task as it is, then what follows it: the snapshot is the fold of the log up to its `seq`, so nothing is missed or doubled. */
export async function* streamFrom(snapshot: TaskSnapshot, stream: LogStream): AsyncGenerator<StreamEvent, void, undefined> {
  const { record, task } = snapshot
  const last = endsWait(stream.wait, record)
  yield { seq: record.seq, payload: limitHistory({ task }, stream.historyLength), last }
  if (!last) yield* streamLog(stream, record.seq)
}

function limitHistory(payload: StreamResponseJson, length: number | undefined): StreamResponseJson {
  return 'task' in payload ? { task: withHistoryLength(payload.task, length) } : payload
}
