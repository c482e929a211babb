import type { LogEntry } from '../log-entry.js'
import type { FollowCut } from '../task-store.js'
import { Follower } from './follower.js'
import type { LogSource } from './log-source.js'
import { type Seat, TaskReader } from './task-reader.js'
import { Turns } from './turns.js'

/** Who follows which task in this process: one reader for each task, however many follow it. */
export class FollowedTasks {
  readonly #source: LogSource
  readonly #turns = new Turns()
  readonly #readers = new Map<string, TaskReader>()

  constructor(source: LogSource) {
    this.#source = source
  }

  /** What `TaskStore.follow` promises. Nothing is held before the first entry is asked for. */
  follow(taskId: string, after: number, signal: AbortSignal, cut?: FollowCut): AsyncIterable<LogEntry> {
    const options = { source: this.#source, turns: this.#turns, readers: this, taskId, after, signal, cut }
    return { [Symbol.asyncIterator]: () => new Follower(options) }
  }

  /** A seat at the task's reader, which gives what comes after `head`. A new reader begins after `after`. */
  join(taskId: string, after: number, seat: Seat): { readonly head: number; readonly leave: () => void } {
    const reader = this.#readers.get(taskId) ?? this.#open(taskId, after)
    return { head: reader.join(seat), leave: () => reader.leave(seat) }
  }

  #open(taskId: string, after: number): TaskReader {
    const reader = new TaskReader(this.#source, this.#turns, taskId, after, () => this.#readers.delete(taskId))
    this.#readers.set(taskId, reader)
    return reader
  }
}
