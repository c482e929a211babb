/** A promise that the test resolves. */
export interface Gate<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
}

export function createGate<T = void>(): Gate<T> {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve: (value) => resolve(value) }
}
