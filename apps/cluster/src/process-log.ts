import { EventEmitter, once } from 'node:events'
import type { ProcessEvent } from './processes/keep-running.js'

/** What becomes of the cluster's processes: who runs, and the next start of one. */
export class ProcessLog {
  readonly #pids = new Map<string, number>()
  readonly #starts = new EventEmitter()

  record(event: ProcessEvent): void {
    if (event.kind === 'down') this.#pids.delete(event.name)
    if (event.kind !== 'up') return
    this.#pids.set(event.name, event.pid)
    this.#starts.emit(event.name)
  }

  pid(name: string): number | undefined {
    return this.#pids.get(name)
  }

  /** Resolves when that process serves again. */
  async nextStart(name: string, signal: AbortSignal): Promise<void> {
    await once(this.#starts, name, { signal })
  }

  /** Kills all of them at once but Postgres, which ends in order by itself when this process does. */
  killAll(): void {
    for (const [name, pid] of this.#pids) if (name !== 'Postgres') killNow(pid)
  }
}

/** SIGKILL; a process that is gone already is no error. */
export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
