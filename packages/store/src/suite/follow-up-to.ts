import type { TaskStore } from '../task-store.js'

/** The numbers of the entries after `after`, up to `last`. */
export async function follow(store: TaskStore, id: string, after: number, last: number): Promise<readonly number[]> {
  const seen: number[] = []
  for await (const entry of store.follow(id, after, AbortSignal.timeout(60_000))) {
    seen.push(entry.seq)
    if (entry.seq >= last) break
  }
  return seen
}

export function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
