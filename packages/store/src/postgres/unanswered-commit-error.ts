import { StoreUnavailableError } from '../store-error.js'
import { reasonOf } from './database-error.js'

/** The connection was lost with the answer to a commit: what was written may be there. */
export class UnansweredCommitError extends StoreUnavailableError {
  constructor(cause: unknown) {
    super(`The database did not say whether it committed (${reasonOf(cause)}): repeat the call`, { cause })
  }
}
