import { StoreUnavailableError } from './store-error.js'

/** The time for a call is up. */
export class DeadlineError extends StoreUnavailableError {
  constructor() {
    super('The database stayed busy beyond the deadline; nothing was written')
  }
}
