import type { TaskStore } from '@moorage/store'
import { overrideStore } from './test-server.js'

/** A store that counts who follows a log. */
export function countFollowers(): { readonly open: () => number; readonly wrapStore: (store: TaskStore) => TaskStore } {
  let open = 0
  async function* counted<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    open += 1
    try {
      yield* items
    } finally {
      open -= 1
    }
  }
  return {
    open: () => open,
    wrapStore: (store) => overrideStore(store, { follow: (...of) => counted(store.follow(...of)) }),
  }
}
