import { StoreUnavailableError } from '../store-error.js'
import { faultOf, reasonOf } from './database-error.js'
import type { Session } from './session.js'

/** Runs `work` with what `begin` returns, which begins a transaction, and commits; takes back what was written where either throws. */
export async function inTransaction<B, T>(session: Session, begin: () => Promise<B>, work: (begun: B) => Promise<T>): Promise<T> {
  let value: T
  try {
    value = await work(await begin())
  } catch (error) {
    // A connection that cannot even do this is thrown away, and the server takes the writes back.
    if (!session.lost) await session.ask('rollback').catch(() => session.destroy())
    throw error
  }
  await commit(session)
  return value
}

async function commit(session: Session): Promise<void> {
  try {
    const { command } = await session.ask('commit')
    if (command !== 'COMMIT') throw new Error('A statement of the transaction had failed, and it went on')
  } catch (error) {
    if (!session.lost && faultOf(error) !== 'connection') throw error
    throw new StoreUnavailableError(`The database did not say whether it committed (${reasonOf(error)}): repeat the call`, { cause: error })
  }
}
