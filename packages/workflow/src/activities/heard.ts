/** A promise that may be left alone: code which does not await it must not end the process when its run is stopped. */
export function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
