/** The database cannot be reached, is busy beyond the deadline or full, or still removes what is in the way. Nothing was acknowledged: repeat. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}
