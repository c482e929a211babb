import type { InboxKind, Waiting } from '@moorage/store'

const MOST_OF_A_KIND = 100

/**
 * The last positions of each kind. The history of a run must not grow with what waits, and need not: a run has to know whether a kind waits, and
 * each Activity takes all that waits from the store. The last ones, since an Activity's word counts for all that come before.
 */
export function fewPositions(waiting: readonly Waiting[]): readonly Waiting[] {
  const counts = new Map<InboxKind, number>()
  const lastFirst = [...waiting].sort((one, other) => other.position - one.position)
  const few = lastFirst.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= MOST_OF_A_KIND
  })
  return few.reverse()
}
