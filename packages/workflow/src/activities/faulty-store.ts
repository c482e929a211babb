import { StoreUnavailableError, type TaskStore } from '@moorage/store'

/** What becomes of a transaction: it runs, it never does, or it does and nobody hears of it. */
export type Fate = 'runs' | 'lost' | 'unanswered'

/** The store with a fate for each transaction. */
export function faultyStore(store: TaskStore, fateOfNext: () => Fate): TaskStore {
  const transact: TaskStore['transact'] = async (taskIds, decide, options) => {
    const fate = fateOfNext()
    if (fate === 'lost') throw new StoreUnavailableError('The store is away')
    const value = await store.transact(taskIds, decide, options)
    if (fate === 'unanswered') throw new StoreUnavailableError('The answer of the store was lost')
    return value
  }
  return new Proxy(store, {
    get(target, name) {
      if (name === 'transact') return transact
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
