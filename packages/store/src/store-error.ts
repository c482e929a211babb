/** The database cannot be reached, is busy beyond the deadline, or is full. Nothing was acknowledged: the caller may repeat. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}
