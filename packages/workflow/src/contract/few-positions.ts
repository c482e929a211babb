import type { InboxKind, Waiting } from '@moorage/store'

const MOST_OF_A_KIND = 100

/**
 * The first positions of each kind. The history of a run must not grow with what waits, and need not: a run has to know whether a kind waits, and
 * each Activity takes all that waits from the store.
 */
export function fewPositions(waiting: readonly Waiting[]): readonly Waiting[] {
  const counts = new Map<InboxKind, number>()
  return waiting.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= MOST_OF_A_KIND
  })
}
