import type { PageSize } from '../read/read-log.js'
import type { StoredEntry } from '../read/stored-entry.js'
import { StoreUnavailableError } from '../store-error.js'
import { UnknownTaskError } from '../unknown-task-error.js'
import type { Waiter } from './bells.js'

/** What is read at once: small enough that those who take it at once have taken it before there is more. */
const PAGE: Required<PageSize> = { entries: 64, bytes: 1024 * 1024 }
/** The pause before another read where the database is away. */
const RETRY_MS = 1000

/** The logs of all tasks, as those who follow them need it. */
export interface LogSource {
  /** Undefined: there is no such task. */
  read(taskId: string, after: number, size: PageSize): Promise<readonly StoredEntry[] | undefined>
  /** Rings the waiter when there may be entries after its `after`, or the store is closed; returns how to stop. */
  listen(taskId: string, waiter: Waiter): () => void
  /** Whether the store is closed, so that nothing can be read again. */
  isClosed(): boolean
}

/** What is read of a log at once. */
export interface LogPage {
  readonly entries: readonly StoredEntry[]
  /** Whether there is probably more, since this is as much as is read at once. */
  readonly full: boolean
}

/** @throws UnknownTaskError where there is no such task */
export async function readPage(source: LogSource, taskId: string, after: number): Promise<LogPage> {
  const entries = await source.read(taskId, after, PAGE)
  if (entries === undefined) throw new UnknownTaskError(taskId)
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  return { entries, full: entries.length >= PAGE.entries || bytes >= PAGE.bytes }
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
