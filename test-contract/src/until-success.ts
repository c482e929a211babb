import { until } from './until.js'

/** Resolves with what the first attempt gives that does not fail. Where none succeeds, it says why the last one did not. */
export async function untilSuccess<T>(attempt: () => Promise<T>): Promise<T> {
  let failure: unknown
  const settle = async (): Promise<{ readonly value: T } | undefined> => {
    try {
      return { value: await attempt() }
    } catch (error) {
      failure = error
      return undefined
    }
  }
  const tried = until(settle).catch(() => {
    throw new Error(`No attempt succeeded; the last one failed: ${failure}`, { cause: failure })
  })
  return (await tried).value
}
