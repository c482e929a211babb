import type { Kysely } from 'kysely'
import type { Schema } from '../schema.js'
import { ConnectionError, faultOf } from './database-error.js'
import type { Session } from './session.js'
import { UnansweredCommitError } from './unanswered-commit-error.js'

/** Runs `work` with what `begin` returns, which begins a transaction, and commits; takes back what was written where either throws. */
export async function inTransaction<B, T>(session: Session, begin: () => Promise<B>, work: (begun: B) => Promise<T>): Promise<T> {
  const value = await runOrRollBack(session, begin, work)
  // The commit is not sent then: it may all run again.
  if (session.lost) throw ConnectionError.lost(new Error('Connection terminated before the commit'))
  try {
    await commit(session)
  } catch (error) {
    if (!session.lost && faultOf(error) !== 'connection') throw error
    throw new UnansweredCommitError(error)
  }
  return value
}

/** Everything that `read` sees is of one moment. It may run again whatever fails, the commit too. */
export async function inSnapshot<T>(session: Session, read: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  const begin = () => session.ask('begin isolation level repeatable read read only')
  const value = await runOrRollBack(session, begin, () => read(session.db))
  await commit(session)
  return value
}

async function runOrRollBack<B, T>(session: Session, begin: () => Promise<B>, work: (begun: B) => Promise<T>): Promise<T> {
  try {
    return await work(await begin())
  } catch (error) {
    // A connection that cannot even do this is thrown away, and the server takes the writes back.
    if (!session.lost) await session.ask('rollback').catch(() => session.destroy())
    throw error
  }
}

async function commit(session: Session): Promise<void> {
  const { command } = await session.ask('commit')
  if (command !== 'COMMIT') throw new Error('A statement of the transaction had failed, and it went on')
}
