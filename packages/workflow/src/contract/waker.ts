import type { Waiting } from '@moorage/store'

/**
 * Makes a task's workflow look again. A wake carries no truth: it may be lost, doubled or late, and the sweep repeats what was lost.
 */
export interface Waker {
  /** Never throws and is never awaited. An empty list only asks the workflow to look. */
  wake(agent: string, taskId: string, unhandled: readonly Waiting[]): void
}
