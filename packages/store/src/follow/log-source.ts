import type { StoredEntry } from '../read/stored-entry.js'
import { StoreUnavailableError } from '../store-error.js'
import type { Waiter } from './bells.js'

/** How many entries are read at once. */
export const PAGE = 64
/** The pause before another read where the database is away. */
const RETRY_MS = 1000

/** The logs of all tasks, as those who follow them need it. */
export interface LogSource {
  /** Undefined: there is no such task. */
  read(taskId: string, after: number, limit: number): Promise<readonly StoredEntry[] | undefined>
  /** Rings the waiter when there may be entries after its `after`, or the store is closed; returns how to stop. */
  listen(taskId: string, waiter: Waiter): () => void
  /** Whether the store is closed, so that nothing can be read again. */
  isClosed(): boolean
}

/** Whether a read that failed so may be tried again. */
export function mayComeBack(source: LogSource, error: unknown): boolean {
  return error instanceof StoreUnavailableError && !source.isClosed()
}

/** A pause that somebody may end before its time is up. */
export class Pause {
  #end = () => {}

  /** Resolves after a second, or when it is ended. */
  async retry(): Promise<void> {
    const timer = setTimeout(() => this.#end(), RETRY_MS)
    timer.unref()
    await this.endless()
    clearTimeout(timer)
  }

  /** Resolves when it is ended. */
  endless(): Promise<void> {
    return new Promise((resolve) => {
      this.#end = resolve
    })
  }

  end(): void {
    this.#end()
  }
}
