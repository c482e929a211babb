import type { Remaining, TaskStore } from '@moorage/store'
import { fewPositions } from '../contract/few-positions.js'

/** What an Activity returns: this and nothing else goes into the Event History. */
export function toRemaining({ unhandled, last, terminal }: Remaining): Remaining {
  return { unhandled: fewPositions(unhandled).map(({ position, kind }) => ({ position, kind })), last, terminal }
}

/** What is left to do in the task now; clears the wake mark of one where nothing is. */
export async function lookAgain(store: TaskStore, taskId: string): Promise<Remaining> {
  return toRemaining(await store.transact([taskId], (tx) => tx.settle(taskId)))
}
